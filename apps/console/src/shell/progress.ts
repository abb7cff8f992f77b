import { useEffect } from 'react';
import { create } from 'zustand';

/** The number of pages being loaded. */
export const useProgress = create<{ count: number }>(() => ({ count: 0 }));

function add(by: number): void {
  useProgress.setState((state) => ({ count: state.count + by }));
}

/** Counts as loading while mounted. */
export function useLoading(): void {
  useEffect(() => {
    add(1);
    return () => add(-1);
  }, []);
}

/** A loaded page opens at once; the bar still shows briefly that the page has changed. */
const pulseMs = 120;

/** Counts as loading for a moment. Returns a function that ends it early. */
export function pulse(): () => void {
  add(1);
  let isOver = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    add(-1);
  };
  const timer = setTimeout(end, pulseMs);
  return () => {
    clearTimeout(timer);
    end();
  };
}

import { useEffect } from 'react';
import { create } from 'zustand';

/** How many pages are on their way. */
export const useProgress = create<{ count: number }>(() => ({ count: 0 }));

function add(by: number): void {
  useProgress.setState((state) => ({ count: state.count + by }));
}

/** Counts as being on the way while it is mounted. */
export function useOnTheWay(): void {
  useEffect(() => {
    add(1);
    return () => add(-1);
  }, []);
}

/** A page that is here already takes no time; the bar shows all the same that one has gone somewhere. */
const pulseMs = 120;

/** Counts as being on the way for a moment. Gives what ends it early. */
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

import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type EChartsCoreOption, init } from './chart-engine.ts';

/** The theme's colours as values, since a canvas cannot read CSS variables. */
export type ChartColours = {
  text: string;
  textFaint: string;
  border: string;
  borderStrong: string;
  panel: string;
  charging: string;
  free: string;
  occupied: string;
  fault: string;
  offlineFill: string;
};

const variables: Readonly<Record<keyof ChartColours, string>> = {
  text: '--text',
  textFaint: '--text-faint',
  border: '--border',
  borderStrong: '--border-strong',
  panel: '--panel',
  charging: '--charging-mark',
  free: '--free-mark',
  occupied: '--occupied-mark',
  fault: '--fault-mark',
  offlineFill: '--offline-fill',
};

function readColours(): ChartColours {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(
    Object.entries(variables).map(([name, variable]) => [name, style.getPropertyValue(variable).trim()]),
  ) as ChartColours;
}

/** The colours of the current theme. */
function useColours(): ChartColours {
  const [colours, setColours] = useState(readColours);
  useEffect(() => {
    const observer = new MutationObserver(() => setColours(readColours()));
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class'] });
    return () => observer.disconnect();
  }, []);
  return colours;
}

export type ChartProps = {
  /** The chart is redrawn when this changes; keep it stable otherwise. */
  option: (colours: ChartColours) => EChartsCoreOption;
  /** `fill` takes the height of its box. */
  heightPx: number | 'fill';
  /** What the chart shows, in a sentence for screen readers. */
  label: string;
  /** A click on the plot, by its place on the shared axis. */
  onPick?: (x: number) => void;
};

/** A canvas chart that follows its box and the theme. Import it lazily: the engine is larger than a page. */
export default function Chart({ option, heightPx, label, onPick }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<ReturnType<typeof init> | null>(null);
  const colours = useColours();
  const pick = useEffectEvent((x: number) => onPick?.(x));
  useEffect(() => {
    if (box.current === null) return;
    const made = init(box.current, null, { renderer: 'canvas' });
    chart.current = made;
    made.getZr().on('click', ({ offsetX, offsetY }) => {
      const [x] = made.convertFromPixel({ xAxisIndex: 0 }, [offsetX, offsetY]);
      if (x !== undefined) pick(x);
    });
    const observer = new ResizeObserver(() => made.resize());
    observer.observe(box.current);
    return () => {
      observer.disconnect();
      made.dispose();
      chart.current = null;
    };
  }, []);
  useEffect(() => {
    chart.current?.setOption(option(colours), { lazyUpdate: true });
  }, [option, colours]);
  return <div ref={box} role="img" aria-label={label} style={{ height: heightPx === 'fill' ? '100%' : heightPx }} />;
}

import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type ChartColours, readColours } from './chart-colours.ts';
import { type EChartsCoreOption, init } from './chart-engine.ts';

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

/** A drawn chart of a size that does not depend on the window. */
export function chartCanvas(
  option: EChartsCoreOption,
  { widthPx, heightPx, pixelRatio }: { widthPx: number; heightPx: number; pixelRatio: number },
): HTMLCanvasElement {
  const size = { width: widthPx, height: heightPx, devicePixelRatio: pixelRatio };
  const chart = init(document.createElement('div'), null, { renderer: 'canvas', ...size });
  chart.setOption(option);
  const drawn = chart.renderToCanvas({ pixelRatio });
  chart.dispose();
  return drawn;
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
  /** A click on a bar or a cell, by its place in the data of its series. */
  onItem?: (dataIndex: number) => void;
};

/** A canvas chart that follows its box and the theme. Import it lazily: the engine is larger than a page. */
export default function Chart({ option, heightPx, label, onPick, onItem }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<ReturnType<typeof init> | null>(null);
  const colours = useColours();
  const pick = useEffectEvent((x: number) => onPick?.(x));
  const pickItem = useEffectEvent((dataIndex: number) => onItem?.(dataIndex));
  useEffect(() => {
    if (box.current === null) return;
    const made = init(box.current, null, { renderer: 'canvas' });
    chart.current = made;
    made.getZr().on('click', ({ offsetX, offsetY }) => {
      const [x] = made.convertFromPixel({ xAxisIndex: 0 }, [offsetX, offsetY]);
      if (x !== undefined) pick(x);
    });
    made.on('click', ({ dataIndex }) => pickItem(dataIndex));
    const observer = new ResizeObserver(() => made.resize());
    observer.observe(box.current);
    // Paper is narrower than the screen, and printing waits for no observer.
    const fit = () => made.resize();
    window.addEventListener('beforeprint', fit);
    window.addEventListener('afterprint', fit);
    return () => {
      window.removeEventListener('beforeprint', fit);
      window.removeEventListener('afterprint', fit);
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

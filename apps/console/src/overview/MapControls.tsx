import type { SiteMapLabels } from './site-map-words.ts';

interface MapControlsProps {
  labels: SiteMapLabels;
  onZoom: (steps: 1 | -1) => void;
  onReset: () => void;
}

export function MapControls({ labels, onZoom, onReset }: MapControlsProps) {
  return (
    <div className="site-map-controls">
      <button type="button" title={labels.zoomIn} aria-label={labels.zoomIn} onClick={() => onZoom(1)}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M8 3.5v9M3.5 8h9" />
        </svg>
      </button>
      <button type="button" title={labels.zoomOut} aria-label={labels.zoomOut} onClick={() => onZoom(-1)}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M3.5 8h9" />
        </svg>
      </button>
      <button type="button" title={labels.resetView} aria-label={labels.resetView} onClick={onReset}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3" />
        </svg>
      </button>
    </div>
  );
}

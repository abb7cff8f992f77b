import styles from './network-drawing.module.css';

/** A distribution network as engineers draw it: bus bars, transformers, feeders, and the stations at their ends. */
const feeders = [
  'M-20 96H150l56 56v76',
  'M150 96h310l44-44h236',
  'M640 52h300l60 60h180',
  'M1000 112l60 60h400',
  'M1180 112h280',
  'M1200 172v96',
  'M1330 172v214l40 40v90',
  'M-20 300H70l40 40v300',
  'M110 560h90l40 40v100',
  'M-20 700H60l48 48h330',
  'M438 748h190l40-40h260',
  'M438 748v72',
  'M760 708v140',
  'M928 708h110l44 44h180l56-56h140',
  'M1082 752v68',
  'M1370 516v136l-52 44',
  'M1318 590h140',
];
const pulses = [
  'M-20 96H210h250l44-44h236h200l60 60l60 60h400',
  'M-20 700H60l48 48h330h190l40-40h260h110l44 44h180l56-56h140',
];
const buses = [
  [120, 96, 400],
  [640, 52, 900],
  [1120, 172, 1330],
  [250, 748, 438],
  [928, 708, 1020],
] as const;
const transformers = [
  [206, 190],
  [110, 440],
  [1200, 218],
  [1330, 300],
  [240, 650],
  [760, 766],
] as const;
const stations = [
  [206, 240],
  [110, 640],
  [240, 712],
  [1200, 280],
  [1250, 112],
  [1370, 470],
  [1370, 590],
  [588, 52],
  [1180, 752],
] as const;

export function NetworkDrawing() {
  return (
    <svg className={styles.drawing} viewBox="0 0 1440 820" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <g className={styles.lines}>
        {feeders.map((path) => (
          <path key={path} d={path} />
        ))}
      </g>
      <g className={styles.buses}>
        {buses.map(([from, y, to]) => (
          <path key={`${from}-${y}`} d={`M${from} ${y}H${to}`} />
        ))}
      </g>
      <g className={styles.pulses}>
        {pulses.map((path) => (
          <path key={path} d={path} pathLength="100" />
        ))}
      </g>
      <g className={styles.marks}>
        {transformers.map(([x, y]) => (
          <g key={`${x}-${y}`} transform={`translate(${x} ${y})`}>
            <circle cy="-7" r="11" />
            <circle cy="7" r="11" />
          </g>
        ))}
        {stations.map(([x, y]) => (
          <g key={`${x}-${y}`} transform={`translate(${x} ${y})`}>
            <rect x="-13" y="-13" width="26" height="26" rx="6" />
            <path className={styles.bolt} d="M1.8-8-5.4 1.9h4.6L-2 8 5.4-1.5H.7z" />
          </g>
        ))}
      </g>
    </svg>
  );
}

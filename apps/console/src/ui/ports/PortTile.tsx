import type { Connector } from '@voltdeck/contract/connectors';
import { phrase } from '../../phrases.ts';
import { ScreenLink } from '../../session/ScreenLink.tsx';
import { energyText, powerText } from '../figures.ts';
import { connectorTones, toneColours } from '../state-colours.ts';
import { ToneShape } from '../ToneShape.tsx';
import { faultText } from './fault-text.ts';
import { portText } from './port-text.ts';
import styles from './port-wall.module.css';
import { minutesSince } from './port-wall.ts';
import { sinceText } from './since-text.ts';

/** What a tile shows of a port. */
type TilePort = Pick<
  Connector,
  | 'id'
  | 'number'
  | 'name'
  | 'stationId'
  | 'stationNumber'
  | 'stationName'
  | 'state'
  | 'stateSince'
  | 'faultCode'
  | 'faultInfo'
  | 'open'
  | 'orderId'
>;

/** What a tile shows of the charge at a port, as far as the user may see it. */
export type TileCharge = { energyWh: number | null; powerW: number | null; socPercent: number | null };

type Props = {
  port: TilePort;
  charge: TileCharge | undefined;
  /** The time on the tile is counted up to this instant. */
  now: number;
  /** Where ports of several sites stand together. */
  siteName?: string;
};

/** A port on a wall: state by colour, shape and word, minutes, power, energy; a link to its order or station. */
export function PortTile({ port, charge, now, siteName }: Props) {
  const tone = connectorTones[port.state];
  const { text, fill, mark } = toneColours[tone];
  const minutes = minutesSince(port.stateSince, now);
  return (
    <li className={styles.tile} style={{ borderColor: mark, background: fill }}>
      <ScreenLink
        className={styles.tileName}
        {...(port.orderId === null
          ? { screen: 'deviceDetail', query: { id: port.stationId } }
          : { screen: 'orderListDetailReal', query: { id: port.orderId } })}
        title={`${port.stationName} · ${port.stationNumber} · ${portText(port)}`}
      >
        <span className={styles.tileStation}>{port.stationName}</span>
        <span className={styles.tileNumber}>{portText(port)}</span>
      </ScreenLink>
      {siteName === undefined ? null : <span className={styles.tileSite}>{siteName}</span>}
      <span className={styles.tileState} style={{ color: text }}>
        <ToneShape tone={tone} sizePx={12} />
        {phrase(`connector-state.${port.state}`)}
        {port.open ? null : ` · ${phrase('connector-open.closed')}`}
        {charge?.powerW == null ? null : (
          <span className={`figure ${styles.tilePower}`}>{powerText(charge.powerW)} kW</span>
        )}
      </span>
      <span className={`figure ${styles.tileFigures}`}>
        <span>{minutes === null ? '' : sinceText(minutes)}</span>
        {charge?.socPercent == null ? null : (
          <span>
            {phrase('orders.soc')} {charge.socPercent}%
          </span>
        )}
        {charge?.energyWh == null ? null : <span>{energyText(charge.energyWh)} kWh</span>}
        {port.state === 'fault' ? <span className={styles.tileFault}>{faultText(port)}</span> : null}
      </span>
    </li>
  );
}

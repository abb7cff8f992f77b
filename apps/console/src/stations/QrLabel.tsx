import type { Connector } from '@voltdeck/contract/connectors';
import type { LabelPlace } from '@voltdeck/contract/label-formats';
import { QRCode } from 'antd';
import { phrase } from '../phrases.ts';
import { portText } from '../ui/ports/port-text.ts';
import styles from './qr-sheet.module.css';

/** How a label will look: the code, and its text for whoever cannot scan it. */
export function QrLabel({ port, place }: { port: Connector; place: LabelPlace }) {
  const { labelWidth, labelHeight, code, isUpright } = place;
  return (
    <div
      className={styles.label}
      data-upright={isUpright}
      style={{ width: `${labelWidth}mm`, height: `${labelHeight}mm` }}
    >
      <div className={styles.code} style={{ width: `${code.width}mm`, height: `${code.height}mm` }}>
        <QRCode
          value={port.qrText}
          type="svg"
          bordered={false}
          color="#000"
          bgColor="#fff"
          errorLevel="M"
          style={{ width: '100%', height: '100%', padding: 0 }}
        />
      </div>
      <div className={styles.text}>
        <strong>{port.stationName}</strong>
        <span>{portText({ number: port.number })}</span>
        {port.name === '' || port.name === String(port.number) ? null : <span>{port.name}</span>}
        {port.bayNumber === null ? null : <span>{phrase('ports.bay', { number: port.bayNumber })}</span>}
        <span className={styles.site}>{port.siteName}</span>
        <span className={styles.number}>{port.qrText}</span>
      </div>
    </div>
  );
}

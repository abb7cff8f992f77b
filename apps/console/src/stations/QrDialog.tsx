import { DownloadOutlined } from '@ant-design/icons';
import type { Connector } from '@voltdeck/contract/connectors';
import { Button, Modal, QRCode } from 'antd';
import { useRef } from 'react';
import { phrase } from '../phrases.ts';
import { CopyNumber } from '../ui/CopyNumber.tsx';
import { saveFile } from '../ui/save-file.ts';
import styles from './stations.module.css';

const sizePx = 240;
/** Sharp enough for an 8 cm sticker at 300 dpi. */
const downloadedPx = 1_024;

/** A port's QR code: view, copy, download as a picture. */
export default function QrDialog({ port, open, onClose }: { port: Connector; open: boolean; onClose: () => void }) {
  const code = useRef<HTMLDivElement>(null);
  const vectors = useRef<HTMLDivElement>(null);
  const download = () => {
    const drawn = code.current?.querySelector('canvas');
    if (drawn === null || drawn === undefined) return;
    const sheet = document.createElement('canvas');
    const margin = downloadedPx / 12;
    const line = downloadedPx / 14;
    sheet.width = downloadedPx;
    sheet.height = downloadedPx + line * 1.5;
    const pen = sheet.getContext('2d');
    if (pen === null) return;
    pen.fillStyle = '#fff';
    pen.fillRect(0, 0, sheet.width, sheet.height);
    pen.imageSmoothingEnabled = false;
    pen.drawImage(drawn, margin, margin, downloadedPx - 2 * margin, downloadedPx - 2 * margin);
    pen.fillStyle = '#000';
    pen.font = `${line * 0.62}px ${getComputedStyle(document.body).fontFamily}`;
    pen.textAlign = 'center';
    pen.fillText(`${port.stationNumber} - ${port.number}`, sheet.width / 2, downloadedPx + line * 0.4, downloadedPx);
    sheet.toBlob((file) => {
      if (file !== null) saveFile(file, `${port.stationNumber}-${port.number}.png`);
    });
  };
  const downloadVectors = () => {
    const drawn = vectors.current?.querySelector('svg');
    if (drawn === null || drawn === undefined) return;
    const svg = drawn.cloneNode(true) as SVGElement;
    svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
    saveFile(new Blob([svg.outerHTML], { type: 'image/svg+xml' }), `${port.stationNumber}-${port.number}.svg`);
  };
  return (
    <Modal
      title={phrase('stations.qrTitle', { station: port.stationName, number: port.number })}
      open={open}
      onCancel={onClose}
      width={360}
      destroyOnHidden
      footer={
        <>
          <Button icon={<DownloadOutlined />} onClick={downloadVectors}>
            {phrase('stations.qrDownloadSvg')}
          </Button>
          <Button type="primary" icon={<DownloadOutlined />} onClick={download}>
            {phrase('stations.qrDownload')}
          </Button>
        </>
      }
    >
      <div className={styles.qr} ref={code}>
        <QRCode
          value={port.qrText}
          size={sizePx}
          type="canvas"
          color="#000"
          bgColor="#fff"
          errorLevel="M"
          aria-label={phrase('stations.qr')}
        />
        <div ref={vectors} hidden>
          <QRCode value={port.qrText} type="svg" color="#000" bgColor="#fff" errorLevel="M" bordered={false} />
        </div>
        <CopyNumber value={port.qrText} />
        <span className={styles.quiet}>{`${port.stationNumber} - ${port.number}`}</span>
      </div>
    </Modal>
  );
}

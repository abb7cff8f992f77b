import { unreachable } from '@voltdeck/units/result';
import type { StationNews } from './station-news.ts';

/** One line of English for a terminal; null for news that are not worth showing. */
export function newsLine(news: StationNews, frames: boolean): string | null {
  const text = describe(news, frames);
  return text === null ? null : `${new Date(news.at).toISOString().slice(11, 19)}  ${news.station}  ${text}`;
}

function describe(news: StationNews, frames: boolean): string | null {
  switch (news.kind) {
    case 'link-opened':
      return 'link up';
    case 'link-closed':
      return news.httpStatus === null ? `link down (${news.code})` : `refused with HTTP ${news.httpStatus}`;
    case 'frame-sent':
      return frames ? `> ${news.text}` : null;
    case 'frame-received':
      return frames ? `< ${news.text}` : null;
    case 'boot-answered':
      return `boot ${news.decision}, heartbeat every ${news.heartbeatSeconds} s`;
    case 'status-changed':
      return `connector ${news.connectorNumber} ${news.status}`;
    case 'card-answered':
      return `connector ${news.connectorNumber} card ${news.card} ${news.status}`;
    case 'charge-started':
      return `connector ${news.connectorNumber} charge started, card ${news.card}, meter ${news.meterStartWh} Wh`;
    case 'charge-numbered':
      return `connector ${news.connectorNumber} charge is number ${news.transactionId}, card ${news.status}`;
    case 'sampled': {
      const { powerW, voltageV, currentA, socPercent, temperatureC } = news.point;
      const measured = [
        `${(powerW / 1_000).toFixed(2)} kW`,
        `${voltageV.toFixed(1)} V`,
        `${currentA.toFixed(1)} A`,
        `${socPercent.toFixed(0)} %`,
        `${temperatureC.toFixed(1)} °C`,
      ].join('  ');
      return `connector ${news.connectorNumber} ${measured}  ${(news.energyWh / 1_000).toFixed(3)} kWh`;
    }
    case 'vehicle-full':
      return `connector ${news.connectorNumber} vehicle is full`;
    case 'charge-ended':
      return `connector ${news.connectorNumber} charge ended (${news.reason}), ${news.energyWh} Wh, meter ${news.meterStopWh} Wh`;
    case 'charge-named':
      return `connector ${news.connectorNumber} charge is ${news.tradeNo}`;
    case 'model-received':
      return `charges by billing model ${news.modelNo}`;
    case 'record-answered':
      return `record ${news.tradeNo} ${news.verdict}`;
    case 'command-answered':
      return `command ${news.action} answered ${news.answer}`;
    case 'twin-answered':
      return `second copy of ${news.action} answered ${news.same ? 'alike' : 'DIFFERENTLY'}`;
    case 'message-retried':
      return `${news.action} not taken (${news.because}), attempt ${news.attempt}`;
    case 'message-dropped':
      return `${news.action} given up (${news.because})`;
    case 'power-lost':
      return 'power lost';
    case 'power-restored':
      return 'power back';
    case 'stopped':
      return 'stopped';
    default:
      return unreachable(news);
  }
}

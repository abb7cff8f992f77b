import { crc16 } from '@voltdeck/ykc/crc';
import { writeFrame } from '@voltdeck/ykc/frame';
import type { PileSocket } from './pile-socket.ts';

/** Behind six bytes of header: trade number 16, pile 7, gun 1 and 22 bytes more. */
const energyAt = 6 + 46;

/**
 * Starts a charge by card at the first gun. @returns its live data (0x13), for `liveWith`. @throws Error when refused.
 */
export async function beginCharge(socket: PileSocket, number: string, card: string): Promise<Uint8Array> {
  const answered = socket.hears('charge-application-answer');
  socket.send({
    kind: 'charge-application',
    pileNo: number,
    gunNo: 1,
    startMode: 1,
    needPassword: 0,
    account: card,
    password: '0'.repeat(32),
    vin: '',
  });
  const { authOk, failReason, tradeNo } = await answered;
  if (authOk !== 1) throw new Error(`pile ${number} may not charge: ${failReason}`);
  return writeFrame(
    {
      kind: 'realtime-data',
      tradeNo,
      pileNo: number,
      gunNo: 1,
      state: 3,
      homed: 2,
      plugged: 1,
      voltage: 4_000,
      current: 1_500,
      cableTemp: 85,
      cableCode: '0'.repeat(16),
      soc: 40,
      battMaxTemp: 78,
      chargedMinutes: 1,
      remainMinutes: 60,
      energy: 0,
      lossEnergy: 0,
      amount: 0,
      hwFault: 0,
    },
    1,
  );
}

/** The same live data at another energy, in 1e-4 kWh. */
export function liveWith(template: Uint8Array, energy: number): Uint8Array {
  const bytes = template.slice();
  for (const offset of [0, 4]) new DataView(bytes.buffer).setUint32(energyAt + offset, energy, true);
  const crc = crc16(bytes, 2, bytes.length - 2);
  bytes[bytes.length - 2] = crc & 0xff;
  bytes[bytes.length - 1] = crc >>> 8;
  return bytes;
}

import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';

/**
 * T/CEC 102.4 as another operator's programmer would write it from the standard's text; nothing of the product is
 * imported.
 */
export type OperatorKeys = { operatorSecret: string; sigSecret: string; dataSecret: string; dataSecretIv: string };

const sign = (text: string, { sigSecret }: OperatorKeys) =>
  createHmac('md5', sigSecret).update(text).digest('hex').toUpperCase();

function encrypt(text: string, { dataSecret, dataSecretIv }: OperatorKeys): string {
  const cipher = createCipheriv('aes-128-cbc', dataSecret, dataSecretIv);
  return Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]).toString('base64');
}

function decrypt(data: string, { dataSecret, dataSecretIv }: OperatorKeys): Record<string, unknown> {
  const decipher = createDecipheriv('aes-128-cbc', dataSecret, dataSecretIv);
  const bytes = Buffer.concat([decipher.update(data, 'base64'), decipher.final()]);
  return JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
}

/** yyyyMMddHHmmss in Shanghai. */
export function timeStamp(atMs: number): string {
  return new Date(atMs + 8 * 3_600_000).toISOString().replaceAll(/\D/g, '').slice(0, 14);
}

/** yyyy-MM-dd HH:mm:ss in Shanghai. */
export function dateTime(atMs: number): string {
  return new Date(atMs + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
}

let sent = 0;

/** The text of a request; the same text sent again is a replay. */
export function sealRequest(operatorId: string, keys: OperatorKeys, message: object, atMs = Date.now()): string {
  sent = (sent % 9_999) + 1;
  const [Data, TimeStamp, Seq] = [
    encrypt(JSON.stringify(message), keys),
    timeStamp(atMs),
    String(sent).padStart(4, '0'),
  ];
  const Sig = sign(`${operatorId}${Data}${TimeStamp}${Seq}`, keys);
  return JSON.stringify({ OperatorID: operatorId, Data, TimeStamp, Seq, Sig });
}

export function sealAnswer(keys: OperatorKeys, ret: number, message: object | null, msg = ''): string {
  const Data = message === null ? '' : encrypt(JSON.stringify(message), keys);
  return JSON.stringify({ Ret: ret, Msg: msg, Data, Sig: sign(`${ret}${msg}${Data}`, keys) });
}

/** Null for a request that is not signed with these keys. */
export function openRequest(text: string, keys: OperatorKeys): Record<string, unknown> | null {
  const { OperatorID, Data, TimeStamp, Seq, Sig } = JSON.parse(text) as Record<string, string>;
  if (Sig !== sign(`${OperatorID}${Data}${TimeStamp}${Seq}`, keys)) return null;
  return decrypt(String(Data), keys);
}

/** @throws Error for an answer that is not signed with these keys. */
export function openAnswer(text: string, keys: OperatorKeys): { ret: number; message: Record<string, unknown> | null } {
  const { Ret, Msg, Data, Sig } = JSON.parse(text) as { Ret: number; Msg: string; Data?: string; Sig: string };
  if (Sig === '' && Ret !== 0) return { ret: Ret, message: null };
  if (Sig !== sign(`${Ret}${Msg}${Data ?? ''}`, keys)) throw new Error(`not signed by the platform: ${text}`);
  return { ret: Ret, message: Data === undefined || Data === '' ? null : decrypt(Data, keys) };
}

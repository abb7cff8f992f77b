import { BlockList, isIP } from 'node:net';

const prefixMax = { 4: 32, 6: 128 } as const;

/** Whether a text is an address or a range of them: "203.0.113.7", "203.0.113.0/24", "2001:db8::/48". */
export function isAddressRange(text: string): boolean {
  return rangeOf(text) !== null;
}

/** Whether an address lies in one of the ranges; an invalid range contains nothing. */
export function isWithin(address: string, ranges: readonly string[]): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  const list = new BlockList();
  for (const range of ranges) {
    const read = rangeOf(range);
    if (read !== null) list.addSubnet(read.address, read.prefix, read.family === 4 ? 'ipv4' : 'ipv6');
  }
  return list.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

function rangeOf(text: string): { address: string; prefix: number; family: 4 | 6 } | null {
  const [address = '', prefixText, ...more] = text.split('/');
  const family = isIP(address);
  if ((family !== 4 && family !== 6) || more.length > 0) return null;
  if (prefixText === undefined) return { address, prefix: prefixMax[family], family };
  if (!/^\d{1,3}$/.test(prefixText) || Number(prefixText) > prefixMax[family]) return null;
  return { address, prefix: Number(prefixText), family };
}

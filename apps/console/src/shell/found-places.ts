import type { AnswerOf } from '@voltdeck/contract/route';
import type { searchRecords } from '@voltdeck/contract/search';

type Found = AnswerOf<typeof searchRecords>[number];
type FoundKind = Found['kind'];

/** Where a found record is shown: the first of these screens that may be opened. */
const placesOf: Readonly<Record<FoundKind, readonly { screen: string; address: (found: Found) => string }[]>> = {
  order: [
    { screen: '/orderListDetailHistory', address: ({ id }) => `/orderListDetailHistory?id=${id}` },
    { screen: '/orderListDetailReal', address: ({ id }) => `/orderListDetailReal?id=${id}` },
    { screen: '/orderListDetailAbnormal', address: ({ id }) => `/orderListDetailAbnormal?id=${id}` },
  ],
  station: [
    { screen: '/deviceDetail', address: ({ id }) => `/deviceDetail?id=${id}` },
    { screen: '/deviceList', address: ({ number }) => `/deviceList?number=${encodeURIComponent(number)}` },
  ],
  card: [{ screen: '/cardList', address: ({ number }) => `/cardList?number=${encodeURIComponent(number)}` }],
  customer: [{ screen: '/registerUser', address: ({ number }) => `/registerUser?phone=${encodeURIComponent(number)}` }],
};

/** The address that shows a found record, or null where none of its screens may be opened. */
export function addressOfFound(found: Found, allowed: ReadonlySet<string>): string | null {
  return placesOf[found.kind].find(({ screen }) => allowed.has(screen))?.address(found) ?? null;
}

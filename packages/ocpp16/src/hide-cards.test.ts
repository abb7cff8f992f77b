import { describe, expect, test } from 'vitest';
import { explain } from './explain.ts';
import { namesNoCard, withCardsHidden } from './hide-cards.ts';

const hide = {
  card: (text: string) => 'x'.repeat(text.length),
  words: (text: string) => text.replaceAll(/\d/g, '#'),
  lookalikes: (text: string) => text.replaceAll(/\b\d{16}\b/g, '?'.repeat(16)),
};
const shown = (text: string) =>
  withCardsHidden(explain(text).spans, hide)
    .map(({ raw }) => raw)
    .join('');

describe('a frame for callers who may not see cards', () => {
  test.each([
    ['[2,"1","Authorize",{"idTag":"04A1B2C3"}]', '[2,"1","Authorize",{"idTag":"xxxxxxxx"}]'],
    [
      '[3,"1",{"idTagInfo":{"status":"Accepted","parentIdTag":"FLEET1"}}]',
      '[3,"1",{"idTagInfo":{"status":"Accepted","parentIdTag":"xxxxxx"}}]',
    ],
    [
      '[2,"1","SendLocalList",{"listVersion":12,"localAuthorizationList":[{"idTag":"A1"},{"idTag":"B2"}]}]',
      '[2,"1","SendLocalList",{"listVersion":12,"localAuthorizationList":[{"idTag":"xx"},{"idTag":"xx"}]}]',
    ],
    ['[2,"1","Authorize",{"idTag":"04\\u00411"}]', '[2,"1","Authorize",{"idTag":"*********"}]'],
    ['[2,"1","Authorize",{"id\\u0054ag":"04A1"}]', '[2,"1","Authorize",{"id\\u0054ag":"xxxx"}]'],
    ['[2,"1","Authorize",{"idTag":123456}]', '[2,"1","Authorize",{"idTag":xxxxxx}]'],
    [
      '[2,"1","DataTransfer",{"vendorId":"V1","data":"card 04A1"}]',
      '[2,"1","DataTransfer",{"vendorId":"V1","data":"card ##A#"}]',
    ],
    ['[2,"1","Authorize",{"idTag":["04A1"]}]', '[2,"1","Authorize",{"idTag":["xxxx"]}]'],
    ['[2,"1","Authorize",{"idTag":{"uid":"04A1"}}]', '[2,"1","Authorize",{"idTag":{"uid":"xxxx"}}]'],
    ['[2,"1","Custom",{"cardNo":"04A1","userPhone":"77"}]', '[2,"1","Custom",{"cardNo":"xxxx","userPhone":"xx"}]'],
    [
      '[2,"1","DataTransfer",{"vendorId":"V1","data":{"uid":"04A1","more":[{"tel":77}]}}]',
      '[2,"1","DataTransfer",{"vendorId":"V1","data":{"uid":"##A#","more":[{"tel":##}]}}]',
    ],
    ['[2,"1","DataTransfer",{"data":"\\u0031\\u0033"}]', '[2,"1","DataTransfer",{"data":"************"}]'],
    [
      '[2,"1","StatusNotification",{"info":"card 1234567890123456","vendorErrorCode":"E0123"}]',
      '[2,"1","StatusNotification",{"info":"card ????????????????","vendorErrorCode":"E0123"}]',
    ],
    ['[4,"1","GenericError","no card 77",{}]', '[4,"1","GenericError","no card ##",{}]'],
    ['[4,"1","GenericError","no",{"tag":"04A1"}]', '[4,"1","GenericError","no",{"tag":"##A#"}]'],
    ['[2,"1","Authorize",{"idTag":04A1', '[2,"1","Authorize",{"idTag":x#A#'],
  ])('%s', (text, expected) => {
    expect(shown(text)).toBe(expected);
    expect(namesNoCard(text)).toBe(false);
  });

  test('a frame without cards is unchanged', () => {
    const text = '[2,"1","StatusNotification",{"connectorId":1,"status":"Available"}]';
    expect(shown(text)).toBe(text);
    expect(namesNoCard(text)).toBe(true);
    expect(namesNoCard(`${text.slice(0, -2)}`)).toBe(false);
  });
});

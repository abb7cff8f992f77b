import { openData, readAnswerEnvelope, sealRequest, verifyAnswer } from '@voltdeck/tcec102/envelope';
import { defaultProfile } from '@voltdeck/tcec102/profile';
import { instant } from '@voltdeck/units/instant';
import { carryOutOrders } from './child-answers.ts';
import { type SealedPosts, stormKeys } from './storm-partner.ts';

/** The least that telling a partner can be: a body sealed, posted, and its answer verified and opened. */
carryOutOrders<SealedPosts, null>(async ({ url, count, atOnce }) => {
  let left = count;
  const post = async () => {
    while (left > 0) {
      const port = left;
      left -= 1;
      const body = JSON.stringify({ ConnectorStatusInfo: { ConnectorID: String(port), Status: 1 } });
      const from = { operatorId: 'MA1BARE01', keys: stormKeys, at: instant(Date.now()), seq: 1 + (port % 9_999) };
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json;charset=utf-8' },
        body: sealRequest(from, body),
      });
      const answer = readAnswerEnvelope(await response.text());
      if (!answer.ok || !verifyAnswer(answer.value, stormKeys, defaultProfile)) throw new Error('not answered');
      if (!openData(answer.value.data, stormKeys).ok) throw new Error('not readable');
    }
  };
  await Promise.all(Array.from({ length: atOnce }, post));
  return null;
});

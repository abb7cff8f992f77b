import { retCodes, signedRequest } from '@voltdeck/tcec102/envelope';
import type { InterfaceName, Message } from '@voltdeck/tcec102/messages/all';
import { tokenSecondsMax } from '@voltdeck/tcec102/messages/business';
import { writeMessage } from '@voltdeck/tcec102/messages/write-message';
import { instant, minuteMs, secondMs } from '@voltdeck/units/instant';
import type { CallDifferences, Reply } from './caller.ts';
import { type Check, type CheckId, expectAll, expectRet, failedAt, notRun, passed, type Trial } from './check.ts';

/** A request that changes nothing, to be sent in every wrong way. */
export type Probe = {
  name: InterfaceName;
  /** Null where there is nothing yet to ask about. */
  request(trial: Trial): Message<InterfaceName, 'request'>;
  /** A number of the request as it stands in its text, to be made a text. */
  numberIn: RegExp;
  /** A field that the request cannot do without, or null. */
  needed: { name: InterfaceName; body: string };
};

const foreignOperator = 'MA0NOBODY';
/** How far from the clock is surely too far: beyond the widest window of any profile. */
const skewMs = 61 * minuteMs;
const oversizedChars = 3_000_000;
/** A token that ends sooner than this is awaited. */
const awaitedTokenSeconds = 600;

type Fault = {
  id: CheckId;
  rets: readonly number[];
  differences?: (trial: Trial, body: string) => CallDifferences | Promise<CallDifferences>;
};

/** Requests with one fault each, and what the standard answers them. */
function faultsOf(probe: Probe): readonly Fault[] {
  const parameters = [retCodes.parameters];
  const changed = (change: (fields: Record<string, string>) => Record<string, unknown>) => () => ({
    reseal: (envelope: string) => JSON.stringify(change(JSON.parse(envelope) as Record<string, string>)),
  });
  /** Signed as it should be, around another Data. */
  const withData = (change: (data: string, body: string) => string) => (trial: Trial, body: string) => ({
    reseal: (envelope: string) => {
      const { OperatorID = '', Data = '', TimeStamp = '', Seq = '' } = JSON.parse(envelope) as Record<string, string>;
      const data = change(Data, body);
      return signedRequest({ operatorId: OperatorID, data, timeStamp: TimeStamp, seq: Seq }, trial.settings.theirKeys);
    },
  });
  return [
    {
      id: 'envelope.wrong-signature',
      rets: [retCodes.signature],
      differences: ({ settings }) => ({ keys: { ...settings.theirKeys, sigSecret: 'of somebody else' } }),
    },
    { id: 'envelope.no-token', rets: [retCodes.token], differences: () => ({ token: null }) },
    { id: 'envelope.wrong-token', rets: [retCodes.token], differences: () => ({ token: 'nobody-gave-this' }) },
    {
      id: 'envelope.early-clock',
      rets: parameters,
      differences: ({ now }) => ({ at: instant(now() - skewMs) }),
    },
    {
      id: 'envelope.late-clock',
      rets: parameters,
      differences: ({ now }) => ({ at: instant(now() + skewMs) }),
    },
    { id: 'envelope.foreign-operator', rets: parameters, differences: () => ({ operatorId: foreignOperator }) },
    { id: 'envelope.not-json', rets: parameters, differences: () => ({ reseal: () => 'Data=1&Sig=2' }) },
    {
      id: 'envelope.field-missing',
      rets: parameters,
      differences: changed(({ Sig: _, ...others }) => others),
    },
    {
      id: 'envelope.seq-number',
      rets: parameters,
      differences: changed((fields) => ({ ...fields, Seq: Number(fields.Seq) })),
    },
    {
      id: 'envelope.not-encrypted',
      rets: parameters,
      differences: withData((_, body) => Buffer.from(body, 'utf8').toString('base64')),
    },
    { id: 'envelope.plain-text', rets: parameters, differences: withData((_, body) => body) },
    {
      id: 'envelope.odd-padding',
      rets: parameters,
      differences: withData((data) => Buffer.from(data, 'base64').subarray(0, -5).toString('base64')),
    },
    {
      id: 'envelope.other-key',
      rets: parameters,
      differences: ({ settings }) => ({ keys: { ...settings.theirKeys, dataSecret: 'another-16-bytes' } }),
    },
    { id: 'envelope.crlf', rets: [retCodes.success], differences: withData((data) => `${wrapped(data)}\r\n`) },
    {
      id: 'envelope.crlf-after-signing',
      rets: [retCodes.success],
      differences: changed((fields) => ({ ...fields, Data: wrapped(fields.Data ?? '') })),
    },
    {
      id: 'fields.number-as-text',
      rets: [retCodes.business],
      differences: (_, body) => ({ body: body.replace(probe.numberIn, (number) => `"${number}"`) }),
    },
    {
      id: 'fields.unknown-field',
      rets: [retCodes.success],
      differences: (_, body) => ({ body: body.replace('{', '{"NobodyKnowsThis":{"a":[1,"2"]},') }),
    },
  ];
}

/** Base64 in lines, as some encoders break it. */
function wrapped(data: string): string {
  return data.replaceAll(/.{20}(?=.)/g, '$&\r\n');
}

/** What both sides of the protocol have to serve in the same way: tokens and envelopes. */
export function envelopeChecks(probe: Probe): readonly Check[] {
  const send = (trial: Trial, differences: CallDifferences = {}): Promise<Reply<InterfaceName>> =>
    trial.call(probe.name, probe.request(trial) as never, differences);
  const bodyOf = (trial: Trial) =>
    writeMessage(probe.name, 'request', probe.request(trial) as never, trial.settings.profile);
  const serves = async (trial: Trial) => expectRet(await send(trial), retCodes.success);
  return [
    {
      id: 'envelope.usual',
      run: serves,
    },
    ...faultsOf(probe).map(
      ({ id, rets, differences }): Check => ({
        id,
        async run(trial) {
          const remark = id.slice(id.indexOf('.') + 1);
          return expectRet(await send(trial, { ...(await differences?.(trial, bodyOf(trial))), remark }), ...rets);
        },
      }),
    ),
    {
      id: 'fields.missing',
      async run(trial) {
        const { name, body } = probe.needed;
        const sent = { body, remark: 'field-missing' };
        return expectRet(await trial.call(name, {} as never, sent), retCodes.business);
      },
    },
    {
      id: 'envelope.replayed',
      async run(trial) {
        let kept = '';
        const first = await send(trial, {
          reseal(envelope) {
            kept = envelope;
            return envelope;
          },
        });
        if (first.ret !== retCodes.success) return expectRet(first, retCodes.success);
        return expectRet(await send(trial, { reseal: () => kept, remark: 'replayed' }), retCodes.parameters);
      },
    },
    {
      id: 'envelope.oversized',
      async run(trial) {
        const padding = 'A'.repeat(oversizedChars);
        const reply = await send(trial, {
          reseal: (envelope) => envelope.replace('"Data":"', `"Data":"${padding}`),
          remark: 'oversized',
        });
        // A server may as well refuse to read it: by the status of HTTP, or by ending the link.
        const isRefused = reply.ret === retCodes.parameters || reply.httpStatus === 413 || reply.httpStatus === null;
        if (!isRefused) return expectRet(reply, retCodes.parameters);
        return serves(trial);
      },
    },
    ...(['cut-in-request', 'cut-before-answer', 'cut-in-answer'] as const).map(
      (manner): Check => ({
        id: `link.${manner}`,
        async run(trial) {
          await send(trial, { manner });
          return serves(trial);
        },
      }),
    ),
    {
      id: 'link.slow-request',
      run: async (trial) => expectRet(await send(trial, { manner: 'slow', remark: 'slow' }), retCodes.success),
    },
    {
      id: 'envelope.expired-token',
      isSlow: true,
      async run(trial) {
        const given = await askToken(trial);
        const seconds = given.answer?.TokenAvailableTime ?? 0;
        if (given.answer?.AccessToken === undefined) return expectRet(given, retCodes.success);
        if (seconds > awaitedTokenSeconds) return notRun('long-token');
        const endsAt = trial.now() + (seconds + 1) * secondMs;
        await trial.wait(() => trial.now() >= endsAt, (seconds + 2) * secondMs);
        const sent = { token: given.answer.AccessToken, remark: 'expired-token' };
        return expectRet(await send(trial, sent), retCodes.token);
      },
    },
  ];
}

function askToken(trial: Trial, differences: Partial<Message<'query_token', 'request'>> = {}) {
  const { operatorId, theirKeys } = trial.settings;
  return trial.call('query_token', {
    OperatorID: operatorId,
    OperatorSecret: theirKeys.operatorSecret,
    ...differences,
  });
}

export function tokenChecks(probe: Probe): readonly Check[] {
  const isRefused = (reply: Reply<'query_token'>, failReason: number) => {
    const { answer } = reply;
    if (answer === null) return expectRet(reply, retCodes.success);
    return expectAll(
      ['SuccStat 1', answer.SuccStat === 1, `SuccStat ${answer.SuccStat}`],
      [`FailReason ${failReason}`, answer.FailReason === failReason, `FailReason ${answer.FailReason}`],
      ['no AccessToken', answer.AccessToken === undefined, 'AccessToken'],
    );
  };
  return [
    {
      id: 'token.given',
      async run(trial) {
        const reply = await askToken(trial);
        const { answer } = reply;
        if (answer === null) return expectRet(reply, retCodes.success);
        const seconds = answer.TokenAvailableTime ?? 0;
        return expectAll(
          ['SuccStat 0', answer.SuccStat === 0, `SuccStat ${answer.SuccStat}, FailReason ${answer.FailReason}`],
          [
            `OperatorID ${trial.settings.operatorId}`,
            answer.OperatorID === trial.settings.operatorId,
            answer.OperatorID,
          ],
          ['AccessToken', (answer.AccessToken ?? '') !== '', 'no AccessToken'],
          [`TokenAvailableTime 1 – ${tokenSecondsMax}`, seconds > 0 && seconds <= tokenSecondsMax, String(seconds)],
        );
      },
    },
    {
      id: 'token.wrong-secret',
      run: async (trial) => isRefused(await askToken(trial, { OperatorSecret: 'nobody-gave-this' }), 2),
    },
    {
      id: 'token.other-operator',
      run: async (trial) => isRefused(await askToken(trial, { OperatorID: foreignOperator }), 1),
    },
    {
      id: 'token.earlier-stays',
      async run(trial) {
        const first = (await askToken(trial)).answer?.AccessToken;
        const second = (await askToken(trial)).answer?.AccessToken;
        if (first === undefined || second === undefined) return failedAt('AccessToken', 'no AccessToken');
        for (const token of [first, second]) {
          const reply = await trial.call(probe.name, probe.request(trial) as never, { token });
          const verdict = expectRet(reply, retCodes.success);
          if (verdict.kind !== 'passed') return verdict;
        }
        return passed;
      },
    },
  ];
}

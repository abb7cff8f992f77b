import { instant } from '@voltdeck/units/instant';
import { describe, expect, test } from 'vitest';
import {
  type EnvelopeFault,
  envelopeCharsMax,
  keyFaults,
  openData,
  type PartnerKeys,
  type RequestEnvelope,
  readAnswerEnvelope,
  readRequestEnvelope,
  replayKey,
  requestAt,
  retCodes,
  retOfFault,
  sealAnswer,
  sealRequest,
  verifyAnswer,
  verifyRequest,
} from './envelope.ts';
import { defaultProfile } from './profile.ts';

const keys: PartnerKeys = {
  operatorSecret: 'geheim-0001',
  sigSecret: 'sig-secret-0001',
  dataSecret: '1234567890abcdef',
  dataSecretIv: 'fedcba0987654321',
};
const at = instant(Date.UTC(2026, 10, 21, 7, 4, 5));
const body = '{"OperatorID":"MA1AB2C3D","OperatorSecret":"geheim-0001"}';

/** What `openssl enc -aes-128-cbc -base64 -A` and `openssl dgst -md5 -hmac` make of these texts and keys. */
const known = {
  data: 'HZjSFiIshoIoZOX6vv0L57W194Irh33cs7cUhDHbk+ehPPTUpOphd3fJLDH/bS4KTUdphYnNC9NPtYTIsVexKg==',
  sig: 'EF32BD8F7B95D75192E0A08EDE6A0532',
  answerBody: '{"StationName":"人民广场充电站 🔌","Total":1}',
  answerData: 'l5vS/t3CzSrQWKhiThYirwGPUuIOEzk5kcuhye1CKXamAhN4I01yNBKkvAPhbOYlZzoX7ng2r/nHGlyo53hppw==',
  answerMsg: '成功',
  answerSig: 'A927492EDFCCE28B2724D9C07FA2FED8',
  refusalMsg: '签名错误',
  refusalSig: 'EB2EEA11E75F9FD6AEA2BD0C043B8477',
  /** `openssl enc -base64` without -A: lines of 64 characters. */
  wrapped:
    'w6ETmU/NxB+W+tq3TQxpT1d7tQMDLcQPnhDVYPJZQf7pgEL5wQilIIHg5dFjwGZG\nR/rQIkA1bZFaEYarIZF5KygVR8w89bCVuE5iRuwiPyeRAOa1r5+OYGmp9WZqmbcq\nKZrl6yOrqVM8cFNlj6gTzg==\n',
} as const;

const request: RequestEnvelope = {
  operatorId: 'MA1AB2C3D',
  data: known.data,
  timeStamp: '20261121150405',
  seq: '0001',
  sig: known.sig,
};
const wire = {
  OperatorID: request.operatorId,
  Data: request.data,
  TimeStamp: request.timeStamp,
  Seq: request.seq,
  Sig: request.sig,
};

function read(text: string): RequestEnvelope {
  const envelope = readRequestEnvelope(text);
  if (!envelope.ok) throw new Error(JSON.stringify(envelope.error));
  return envelope.value;
}

function faultOf(text: string): EnvelopeFault {
  const envelope = readRequestEnvelope(text);
  if (envelope.ok) throw new Error('an envelope was expected to be refused');
  return envelope.error;
}

describe('requests', () => {
  test('a request is encrypted and signed as OpenSSL does it (sections 2.4 and 2.5)', () => {
    const text = sealRequest({ operatorId: 'MA1AB2C3D', keys, at, seq: 1 }, body);
    expect(JSON.parse(text)).toEqual(wire);
    const envelope = read(text);
    expect(envelope).toEqual(request);
    expect(verifyRequest(envelope, keys, defaultProfile)).toBe(true);
    expect(openData(envelope.data, keys)).toEqual({ ok: true, value: body });
    expect(requestAt(envelope)).toBe(at);
  });

  test.each([0, 10_000, 1.5])('the sequence number %d of a second cannot be sent', (seq) => {
    expect(() => sealRequest({ operatorId: 'MA1AB2C3D', keys, at, seq }, body)).toThrow(RangeError);
  });

  test.each([
    ['operatorId', 'MA1AB2C3E'],
    ['data', `A${known.data.slice(1)}`],
    ['timeStamp', '20261121150406'],
    ['seq', '0002'],
    ['sig', `F${known.sig.slice(1)}`],
    ['sig', known.sig.slice(1)],
    ['sig', `${known.sig}0`],
    ['sig', ''],
    ['sig', 'Ä'.repeat(16)],
  ] as const)('a request whose %s was changed does not verify', (field, value) => {
    expect(verifyRequest({ ...request, [field]: value }, keys, defaultProfile)).toBe(false);
  });

  test('a request does not verify with the secret of another partner', () => {
    expect(verifyRequest(request, { ...keys, sigSecret: 'sig-secret-0002' }, defaultProfile)).toBe(false);
  });

  test('a signature in lower case verifies only where the profile accepts it', () => {
    const lower = { ...request, sig: known.sig.toLowerCase() };
    expect(verifyRequest(lower, keys, defaultProfile)).toBe(false);
    expect(verifyRequest(lower, keys, { ...defaultProfile, lowerCaseSig: true })).toBe(true);
  });

  test('Base64 in lines verifies and opens, whether it was signed before or after it was broken', () => {
    const lines = known.data.replace(/.{76}/, '$&\r\n');
    expect(lines).not.toBe(known.data);
    const signedBefore = { ...request, data: lines };
    expect(verifyRequest(signedBefore, keys, defaultProfile)).toBe(true);
    expect(openData(lines, keys)).toEqual({ ok: true, value: body });
    // openssl dgst -md5 -hmac over the text with its line break.
    const signedAfter = { ...signedBefore, sig: signedAfterSig };
    expect(verifyRequest(signedAfter, keys, defaultProfile)).toBe(true);
    expect(openData(known.wrapped, keys)).toEqual({ ok: true, value: 'x'.repeat(100) });
  });

  test('a request is known again whatever its text was changed to without changing what was signed', () => {
    const other = { ...request, data: known.data.replace(/.{76}/, '$&\r\n'), sig: known.sig.toLowerCase() };
    expect(verifyRequest(other, keys, { ...defaultProfile, lowerCaseSig: true })).toBe(true);
    expect(replayKey(other)).toBe(replayKey(request));
    const next = read(sealRequest({ operatorId: request.operatorId, keys, at, seq: 2 }, body));
    expect(replayKey(next)).not.toBe(replayKey(request));
  });

  test('unknown fields are ignored, and the order of fields is free', () => {
    const text = JSON.stringify({
      ...Object.fromEntries(Object.entries(wire).reverse()),
      Version: 1,
      Extra: { a: [] },
    });
    expect(read(text)).toEqual(request);
  });

  test.each(['OperatorID', 'Data', 'TimeStamp', 'Seq', 'Sig'] as const)(
    'a request without %s, with null, nothing or a number there is a fault of its parameters',
    (field) => {
      const { [field]: _, ...others } = wire;
      expect(faultOf(JSON.stringify(others))).toEqual({ because: 'field-missing', field });
      expect(faultOf(JSON.stringify({ ...wire, [field]: null }))).toEqual({ because: 'field-missing', field });
      expect(faultOf(JSON.stringify({ ...wire, [field]: '' }))).toEqual({ because: 'field-missing', field });
      expect(faultOf(JSON.stringify({ ...wire, [field]: 1 }))).toEqual({ because: 'field-wrong-type', field });
      expect(faultOf(JSON.stringify({ ...wire, [field]: ['1'] }))).toEqual({ because: 'field-wrong-type', field });
    },
  );

  test.each([
    ['OperatorID', 'MA1AB2C3'],
    ['OperatorID', 'MA1AB2C3DE'],
    ['OperatorID', "MA1AB2C3'"],
    ['TimeStamp', '2026112115040'],
    ['TimeStamp', '2026-11-21 1504'],
    ['Seq', '1'],
    ['Seq', '00001'],
    ['Sig', 'EF32BD8F7B95D75192E0A08EDE6A053'],
    ['Sig', 'GF32BD8F7B95D75192E0A08EDE6A0532'],
  ] as const)('a %s of "%s" has a wrong form', (field, value) => {
    expect(faultOf(JSON.stringify({ ...wire, [field]: value }))).toEqual({ because: 'field-wrong-form', field });
  });

  test.each([
    ['', 'not-json'],
    ['{', 'not-json'],
    ['null', 'not-an-object'],
    ['[]', 'not-an-object'],
    ['"Data"', 'not-an-object'],
    ['1', 'not-an-object'],
    [`{"Data":${'['.repeat(100_000)}`, 'not-json'],
    [JSON.stringify(wire).replace('{', '{"Data":"AAAA",'), 'not-json'],
    [`"${'x'.repeat(envelopeCharsMax)}"`, 'too-long'],
  ])('what is no envelope is a fault (%#)', (text, because) => {
    expect(faultOf(text)).toEqual({ because });
  });

  test('fields named like those of every object are fields like others', () => {
    expect(read(JSON.stringify(wire).replace('{', '{"__proto__":{"Sig":1},"constructor":1,'))).toEqual(request);
    expect(faultOf('{"__proto__":{"OperatorID":"MA1AB2C3D"}}')).toEqual({
      because: 'field-missing',
      field: 'OperatorID',
    });
  });

  test('every fault of an envelope is answered as a fault of its parameters', () => {
    expect(new Set(Object.values(retOfFault))).toEqual(new Set([retCodes.parameters]));
  });

  test.each(['20260230000000', '20261121240000', '20261121156000', '19691231235959', 'x'])(
    'a time stamp of %s is no time',
    (timeStamp) => {
      expect(requestAt({ timeStamp })).toBeNull();
    },
  );
});

/** `openssl dgst -md5 -hmac` over OperatorID, the first 76 characters of Data, CR, LF, the others, TimeStamp and Seq. */
const signedAfterSig = '091E1FFFDE62E8B9B704BC0A2CD2C4B6';

describe('content', () => {
  test.each([
    ['plain JSON', body, 'not-base64'],
    ['nothing', '', 'not-base64'],
    ['padding alone', '====', 'not-base64'],
    ['odd padding', `${known.data.slice(0, -1)}`, 'not-base64'],
    ['padding in the middle', 'AA==AAAA', 'not-base64'],
    ['the alphabet of addresses', known.data.replaceAll('+', '-').replaceAll('/', '_'), 'not-base64'],
    ['blanks', ` ${known.data}   `, 'not-base64'],
    ['half a block', known.data.slice(0, 16), 'not-decryptable'],
    ['a block less', known.data.slice(0, 64), 'not-decryptable'],
  ])('%s is a fault', (_, data, because) => {
    expect(openData(data, keys)).toEqual({ ok: false, error: { because } });
  });

  test('content of another key is a fault', () => {
    expect(openData(known.data, { ...keys, dataSecret: '1234567890abcdeX' }).ok).toBe(false);
  });

  test('bytes that are not UTF-8 are a fault', () => {
    // A changed initial vector changes the first block alone, and turns ASCII into bytes that stand for nothing.
    const iv = `&${keys.dataSecretIv.slice(1)}`;
    const sealed = sealRequest({ operatorId: 'MA1AB2C3D', keys, at, seq: 1 }, 'ääääääää and more');
    expect(openData(read(sealed).data, { ...keys, dataSecretIv: iv })).toEqual({
      ok: false,
      error: { because: 'not-utf8' },
    });
  });

  test('a byte-order mark before the JSON is left out', () => {
    const sealed = sealRequest({ operatorId: 'MA1AB2C3D', keys, at, seq: 1 }, `\ufeff${body}`);
    expect(openData(read(sealed).data, keys)).toEqual({ ok: true, value: body });
  });
});

describe('answers', () => {
  const sealed = {
    keys,
    ret: retCodes.success,
    msg: known.answerMsg,
    profile: defaultProfile,
    operatorId: 'MA9ZZ8Y7X',
  };

  test('an answer is encrypted and signed as OpenSSL does it', () => {
    const text = sealAnswer(sealed, known.answerBody);
    expect(JSON.parse(text)).toEqual({
      Ret: 0,
      Msg: known.answerMsg,
      Data: known.answerData,
      Sig: known.answerSig,
    });
    const envelope = readAnswerEnvelope(text);
    if (!envelope.ok) throw new Error(envelope.error.because);
    expect(verifyAnswer(envelope.value, keys, defaultProfile)).toBe(true);
    expect(openData(envelope.value.data, keys)).toEqual({ ok: true, value: known.answerBody });
    for (const other of [{ ret: 500 }, { msg: '成' }, { data: known.data }, { sig: known.sig }]) {
      expect(verifyAnswer({ ...envelope.value, ...other }, keys, defaultProfile)).toBe(false);
    }
  });

  test('a refusal has empty Data or none, as the partner wants it, and the same signature', () => {
    const refused = { ...sealed, ret: retCodes.signature, msg: known.refusalMsg };
    const wanted = { Ret: 4001, Msg: known.refusalMsg, Sig: known.refusalSig };
    expect(JSON.parse(sealAnswer(refused, null))).toEqual({ ...wanted, Data: '' });
    const absent = sealAnswer({ ...refused, profile: { ...defaultProfile, errorData: 'absent' } }, null);
    expect(JSON.parse(absent)).toEqual(wanted);
    const envelope = readAnswerEnvelope(absent);
    expect(envelope.ok && verifyAnswer(envelope.value, keys, defaultProfile)).toBe(true);
  });

  test('an answer names us where the partner wants it', () => {
    const text = sealAnswer({ ...sealed, profile: { ...defaultProfile, answersWithOperatorId: true } }, null);
    expect(JSON.parse(text)).toMatchObject({ OperatorID: 'MA9ZZ8Y7X' });
    expect(readAnswerEnvelope(text)).toMatchObject({ ok: true, value: { operatorId: 'MA9ZZ8Y7X' } });
  });

  test('a caller that nobody knows gets an answer without signature, which nobody believes', () => {
    const text = sealAnswer({ ...sealed, keys: null, ret: retCodes.parameters, msg: '' }, null);
    expect(JSON.parse(text)).toEqual({ Ret: 4003, Msg: '', Data: '', Sig: '' });
    const envelope = readAnswerEnvelope(text);
    expect(envelope.ok && verifyAnswer(envelope.value, keys, defaultProfile)).toBe(false);
  });

  test.each([
    ['{}', { because: 'field-missing', field: 'Ret' }],
    ['{"Ret":null}', { because: 'field-missing', field: 'Ret' }],
    [`{"Ret":"0","Sig":"${known.answerSig}"}`, { because: 'field-wrong-type', field: 'Ret' }],
    [`{"Ret":0.0,"Sig":"${known.answerSig}"}`, { because: 'field-wrong-form', field: 'Ret' }],
    [`{"Ret":-0,"Sig":"${known.answerSig}"}`, { because: 'field-wrong-form', field: 'Ret' }],
    [`{"Ret":1e1,"Sig":"${known.answerSig}"}`, { because: 'field-wrong-form', field: 'Ret' }],
    ['{"Ret":0}', { because: 'field-missing', field: 'Sig' }],
    ['{"Ret":0,"Sig":1}', { because: 'field-wrong-type', field: 'Sig' }],
    ['{"Ret":4001,"Sig":"x"}', { because: 'field-wrong-form', field: 'Sig' }],
    ['{"Ret":4001,"Msg":1}', { because: 'field-wrong-type', field: 'Msg' }],
    ['{"Ret":4001,"Data":{}}', { because: 'field-wrong-type', field: 'Data' }],
    ['[]', { because: 'not-an-object' }],
    ['<html>', { because: 'not-json' }],
  ])('the answer %s is a fault', (text, fault) => {
    expect(readAnswerEnvelope(text)).toEqual({ ok: false, error: fault });
  });

  test('a refusal may lack everything but its code', () => {
    expect(readAnswerEnvelope('{"Ret":-1,"Msg":null,"Data":null,"Sig":null}')).toEqual({
      ok: true,
      value: { ret: -1, msg: '', data: '', sig: '', operatorId: null },
    });
  });
});

describe('keys', () => {
  test('keys that AES-128 and a person can handle have no faults', () => {
    expect(keyFaults(keys)).toEqual([]);
  });

  test.each([
    ['dataSecret', '1234567890abcde', 'wrong-length'],
    ['dataSecret', '1234567890abcdef0', 'wrong-length'],
    ['dataSecret', '1234567890abcdé', 'not-printable'],
    ['dataSecretIv', '', 'wrong-length'],
    ['dataSecretIv', 'fedcba098765432\n', 'not-printable'],
    ['sigSecret', '', 'wrong-length'],
    ['sigSecret', 'x'.repeat(65), 'wrong-length'],
    ['operatorSecret', 'a secret', 'not-printable'],
    ['operatorSecret', '秘密', 'not-printable'],
  ] as const)('a %s of "%s" is a fault', (key, value, because) => {
    expect(keyFaults({ ...keys, [key]: value })).toEqual([{ key, because }]);
  });
});

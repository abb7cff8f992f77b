/** The billing model: four periods with two prices each, and the period of every half hour. */
import { bytes, digits, enumeration, message, pileNo, u8, u32 } from './field.ts';
import { outcome } from './outcomes.ts';

export const modelVerdict = enumeration('model-verdict', { 0: 'same', 1: 'different' });
export const slotPeriod = enumeration('slot-period', { 0: 'sharp', 1: 'peak', 2: 'flat', 3: 'valley' });

const price = { decimals: 5, unit: 'yuan-per-kwh' } as const;
const modelNo = digits('modelNo', 2, { note: '4 digits; letters A to F occur' });

const model = [
  pileNo,
  modelNo,
  u32('sharpElecPrice', price),
  u32('sharpServPrice', price),
  u32('peakElecPrice', price),
  u32('peakServPrice', price),
  u32('flatElecPrice', price),
  u32('flatServPrice', price),
  u32('valleyElecPrice', price),
  u32('valleyServPrice', price),
  u8('lossRatio', { note: 'the platform always sends 0' }),
  bytes('slots', 48, { meanings: slotPeriod, note: 'entry i covers the half hour from i × 30 min on' }),
] as const;

export const billingModelVerify = message('billing-model-verify', 0x05, [pileNo, modelNo], {
  answer: 'billing-model-verify-answer',
});
export const billingModelVerifyAnswer = message('billing-model-verify-answer', 0x06, [
  pileNo,
  modelNo,
  u8('result', { meanings: modelVerdict, label: 'verifyResult' }),
]);
export const billingModelRequest = message('billing-model-request', 0x09, [pileNo], {
  answer: 'billing-model-answer',
});
export const billingModelAnswer = message('billing-model-answer', 0x0a, model);
export const billingModelSet = message('billing-model-set', 0x58, model, { answer: 'billing-model-set-reply' });
export const billingModelSetReply = message('billing-model-set-reply', 0x57, [
  pileNo,
  u8('result', { meanings: outcome, label: 'setResult' }),
]);

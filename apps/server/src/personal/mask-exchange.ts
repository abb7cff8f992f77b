import type { Protocol } from '@voltdeck/charging/states';
import type { FrameExplanation, FrameSpan, InteractionLog } from '@voltdeck/contract/logs';
import { explain as explainOcpp } from '@voltdeck/ocpp16/explain';
import { namesNoCard, withCardsHidden as ocppWithCardsHidden } from '@voltdeck/ocpp16/hide-cards';
import { explain as explainYkc } from '@voltdeck/ykc/explain';
import { fromHex } from '@voltdeck/ykc/hex';
import { withCardsHidden as ykcWithCardsHidden } from '@voltdeck/ykc/hide-cards';
import { maskCard, maskLookalikes, maskWords } from './mask-text.ts';

type Exchange = Pick<InteractionLog, 'protocol' | 'request' | 'answer'> & { frames?: FrameExplanation[] };

/** Masks the cards in the frames of an exchange, raw and explained. */
export function maskExchange<Shown extends Exchange>(exchange: Shown): Shown {
  const { protocol, request, answer, frames } = exchange;
  const { text, spans } = masks[protocol];
  return {
    ...exchange,
    request: text(request),
    answer: answer === null ? null : text(answer),
    ...(frames === undefined ? {} : { frames: frames.map((frame) => maskFrame(frame, spans(frame.spans))) }),
  };
}

function maskFrame(frame: FrameExplanation, spans: FrameSpan[]): FrameExplanation {
  const { checksum } = frame;
  const text = textOf(spans);
  const isTold = text === frame.text || checksum.found === null;
  return { ...frame, text, spans, checksum: isTold ? checksum : { ...checksum, found: null, expected: null } };
}

const textOf = (spans: readonly { raw: string }[]) => spans.map(({ raw }) => raw).join('');
const hide = { card: maskCard, words: maskWords, lookalikes: maskLookalikes };

type Masks = { text: (text: string) => string; spans: (spans: FrameSpan[]) => FrameSpan[] };

const masks: Readonly<Record<Protocol, Masks>> = {
  'ocpp1.6': {
    text: (text) => (namesNoCard(text) ? text : textOf(ocppWithCardsHidden(explainOcpp(text).spans, hide))),
    spans: (spans) => ocppWithCardsHidden(spans, hide),
  },
  ykc: {
    text(text) {
      const bytes = fromHex(text);
      if (bytes === null) return maskWords(text);
      return explainYkc(bytes)
        .map(({ spans }) => textOf(ykcWithCardsHidden(spans, maskCard)))
        .join('');
    },
    spans: (spans) => ykcWithCardsHidden(spans, maskCard),
  },
};

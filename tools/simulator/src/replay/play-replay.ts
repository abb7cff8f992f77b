import { readFile } from 'node:fs/promises';
import { minuteMs, secondMs } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type Arguments, usual } from '../arguments.ts';
import { pause, type Stage } from '../stage.ts';
import { type Conversation, type Exchange, readConversation } from './conversation.ts';
import { isOcppHeartbeat, ocppSide } from './ocpp-side.ts';
import type { CallListener, ReplaySide } from './replay-side.ts';
import { isYkcHeartbeat, ykcSide } from './ykc-side.ts';

/** Real time for a message to be answered. */
const answerTimeoutMs = 30 * secondMs;
/** How long to wait for a call of the server that the recording has. */
const callWaitMs = { paced: 10 * secondMs, fast: 2 * secondMs } as const;
const glanceMs = 50;
const keepAliveMs = { 'ocpp1.6': minuteMs, ykc: 10 * secondMs } as const;

/** Plays the station's side of a saved conversation to a server, and fails when the server's answers differ. */
export async function playReplay(
  chosen: Pick<Arguments, 'file' | 'url' | 'station' | 'isStationGiven' | 'password' | 'fast'>,
  stage: Stage,
): Promise<Result<string, string>> {
  const text = await readFile(chosen.file, 'utf8').catch((error: NodeJS.ErrnoException) => error);
  if (typeof text !== 'string') return failed(`${chosen.file} cannot be read (${text.code ?? text.message})`);
  const conversation = readConversation(text);
  if (!conversation.ok) return failed(`${chosen.file}: ${conversation.error}`);
  const { protocol, stationNumber, exchanges, isCut } = conversation.value;
  const url = chosen.url === '' ? usual[protocol].url : chosen.url;
  if (url.startsWith('tcp:') !== (protocol === 'ykc')) {
    return failed(`a conversation in ${protocol} needs another --url than ${url}`);
  }
  const number = chosen.isStationGiven ? chosen.station : stationNumber;
  if (protocol === 'ykc' && !/^\d{14}$/.test(number)) return failed(`--station has 14 digits, got ${number}`);
  stage.say(`${number} plays ${exchanges.length} exchanges of ${stationNumber}${isCut ? ', which were more' : ''}`);

  const calls = recordedCalls(exchanges, stage);
  const side =
    protocol === 'ykc'
      ? ykcSide({
          url,
          number,
          recordedNumber: stationNumber,
          exchanges,
          clock: stage.clock,
          answerTimeoutMs,
          listener: calls,
        })
      : ocppSide({ url, number, password: chosen.password, clock: stage.clock, answerTimeoutMs, listener: calls });
  if (!(await side.open())) return failed(`nobody takes ${number} at ${url}`);
  try {
    return await play(side, conversation.value, calls, chosen.fast, stage);
  } finally {
    await side.close();
  }
}

type RecordedCalls = CallListener & { isAnswered(exchange: Exchange): boolean };

/** The server's recorded calls: each is answered once, the first of its name first. */
function recordedCalls(exchanges: readonly Exchange[], stage: Stage): RecordedCalls {
  const left = exchanges.filter(({ direction }) => direction === 'to-station');
  const answered = new Set<Exchange>();
  return {
    called(action) {
      const index = left.findIndex((exchange) => exchange.action === action);
      const [exchange] = index === -1 ? [] : left.splice(index, 1);
      if (exchange === undefined) {
        stage.say(`? ${action} is not in the recording, or no more of it`);
        return null;
      }
      answered.add(exchange);
      return exchange;
    },
    isAnswered: (exchange) => answered.has(exchange),
  };
}

async function play(
  side: ReplaySide,
  { protocol, exchanges }: Conversation,
  calls: RecordedCalls,
  fast: boolean,
  stage: Stage,
): Promise<Result<string, string>> {
  const isHeartbeat = protocol === 'ykc' ? isYkcHeartbeat : isOcppHeartbeat;
  const told = exchanges.filter(({ direction }) => direction === 'from-station');
  const [first] = told;
  if (first === undefined) return failed('the station says nothing in this conversation');
  const keepsItself = told.some(isHeartbeat);
  const beganAt = stage.clock.now();
  const recordedAt = exchanges[0]?.at ?? first.at;
  let unlike = 0;
  let unanswered = 0;
  if (!side.introduces(first)) await side.signIn();

  for (const exchange of exchanges) {
    if (stage.signal.aborted) return failed('interrupted');
    const name = exchange.action ?? 'a message that nobody could read';
    if (!fast)
      await waitUntil(side, beganAt + exchange.at - recordedAt, keepsItself ? null : keepAliveMs[protocol], stage);
    if (exchange.direction === 'to-station') {
      if (!(await isCalled(calls, exchange, fast ? callWaitMs.fast : callWaitMs.paced, stage))) {
        stage.say(`? the server did not send ${name} this time`);
      }
      continue;
    }
    if (!side.isOpen || side.opensConnection(exchange)) {
      if (!side.isOpen) stage.say('the server closed the connection');
      if (!(await side.open())) return failed('the server takes no connection any more');
      if (!side.introduces(exchange)) await side.signIn();
    }
    const answer = await side.tell(exchange);
    if (exchange.answer === null) continue;
    if (answer === null) {
      unanswered += 1;
      stage.say(`≠ ${name} was answered then and is not now`);
      continue;
    }
    const differences = side.differences(exchange.answer, answer);
    for (const { path, recorded, now, matters } of differences) {
      stage.say(`${matters ? '≠' : '~'} ${name} ${path}: ${recorded} then, ${now} now`);
    }
    if (differences.some(({ matters }) => matters)) unlike += 1;
  }
  const count = `${told.length} messages told`;
  if (unlike + unanswered > 0) {
    return failed(`${count}, ${unlike} answers differ in what matters, ${unanswered} are missing`);
  }
  return ok(`${count}, every answer as recorded`);
}

async function waitUntil(side: ReplaySide, at: number, keepAliveEveryMs: number | null, stage: Stage): Promise<void> {
  for (;;) {
    const leftMs = at - stage.clock.now();
    if (leftMs <= 0 || stage.signal.aborted) return;
    if (keepAliveEveryMs === null || leftMs <= keepAliveEveryMs) {
      await pause(stage, leftMs);
    } else {
      await pause(stage, keepAliveEveryMs);
      if (side.isOpen) side.keepAlive();
    }
  }
}

async function isCalled(calls: RecordedCalls, exchange: Exchange, withinMs: number, stage: Stage): Promise<boolean> {
  const until = stage.clock.now() + withinMs;
  while (!calls.isAnswered(exchange)) {
    if (stage.clock.now() >= until || stage.signal.aborted) return false;
    await pause(stage, glanceMs);
  }
  return true;
}

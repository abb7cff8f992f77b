import type { Story, StoryEntry } from '@voltdeck/contract/stories';
import { secondMs } from '@voltdeck/units/instant';
import { durationText, firstWordFor, wordFor } from '../orders/words.ts';
import { phrase } from '../phrases.ts';
import { energyText, moneyText, nothingText, percentText, powerText } from '../ui/figures.ts';
import { isoDateTime } from '../ui/instants.ts';

type Params = StoryEntry['params'];

/** How names are said, by the families that have their words; one that this console does not know is shown unchanged. */
const sayings: Readonly<Record<string, (name: string) => string>> = {
  action: (name) => wordFor('audit-action', name),
  approvalKind: (name) => wordFor('approval-kind', name),
  approvalState: (name) => wordFor('approval-state', name),
  authorization: (name) => wordFor('orders.authorization', name),
  because: (name) => firstWordFor(['rejection-reason', 'orders.because', 'stop-reason'], name),
  fault: (name) => wordFor('logs.fault', name),
  how: (name) => wordFor('flag-handling', name),
  movementType: (name) => wordFor('movement-type', name),
  outcome: (name) => firstWordFor(['command-outcome', 'orders.because'], name),
  portState: (name) => wordFor('connector-state', name),
  rule: (name) => wordFor('abnormal-rule', name),
  stopReason: (name) => wordFor('stop-reason', name),
  transferReason: (name) => wordFor('orders.reason', name),
};

/** A figure or a name of a sentence, by the unit or the family that its own name ends with. */
function sayParam(name: string, value: string | number | null): string {
  if (value === null || value === '') return name in sayings ? phrase('stories.unknown') : nothingText;
  if (typeof value === 'number') {
    if (name.endsWith('Fen')) return moneyText(value);
    if (name.endsWith('Wh')) return `${energyText(value)} kWh`;
    if (name.endsWith('W')) return `${powerText(value)} kW`;
    if (name.endsWith('Percent')) return percentText(value);
    if (name.endsWith('Ms')) return sayDuration(value);
    return name === 'points' && value > 0 ? `+${value}` : String(value);
  }
  if (name.endsWith('At')) return isoDateTime(value) ?? value;
  return sayings[name]?.(value) ?? value;
}

/** "0.4 s" for what is quick; longer ones as everywhere. */
function sayDuration(ms: number): string {
  return ms < 10 * secondMs ? phrase('orders.seconds', { seconds: Math.round(ms / 100) / 10 }) : durationText(ms);
}

function said(params: Params): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, sayParam(name, value)]));
}

export function sayEntry({ kind, params }: Pick<StoryEntry, 'kind' | 'params'>): string {
  return phrase(`story.${kind}`, said(params));
}

export function sayNow({ kind, params }: Story['now'][number]): string {
  return phrase(`story-now.${kind}`, said(params));
}

/** "2026-11-21" and "15:04:05" of an instant. */
export function dayAndTime(iso: string): { day: string; time: string } {
  const [day = '', time = ''] = (isoDateTime(iso) ?? '').split(' ');
  return { day, time };
}

/** The end of what lasted, with its day where that is not the day on which it began. */
export function endText(at: string, until: string): string {
  const end = dayAndTime(until);
  return end.day === dayAndTime(at).day ? end.time : `${end.day} ${end.time}`;
}

/** The whole story as text, for a colleague. Details come too: whoever reads it elsewhere cannot unfold them. */
export function storyText(story: Story, title: string): string {
  const lines = [title, ...story.now.map(sayNow), ''];
  let day = '';
  for (const entry of story.entries) {
    const at = dayAndTime(entry.at);
    if (at.day !== day) lines.push(at.day);
    day = at.day;
    const mark = entry.weight === 'trouble' ? `[${phrase('stories.trouble')}] ` : '';
    lines.push(`${at.time}  ${mark}${sayEntry(entry)}`);
  }
  return lines.concat(missingText(story)).join('\n');
}

/** What the story does not tell, and why. */
export function missingText({ cut, leftOut, isShortened }: Pick<Story, 'cut' | 'leftOut' | 'isShortened'>): string[] {
  const missing = cut.map(({ of, shown, more, isAtLeast }) =>
    phrase(isAtLeast ? 'stories.cutAtLeast' : 'stories.cut', { source: phrase(`story-source.${of}`), shown, more }),
  );
  if (isShortened) missing.push(phrase('stories.shortened'));
  if (leftOut.length > 0) {
    const sources = leftOut.map((of) => phrase(`story-source.${of}`)).join(phrase('list.comma'));
    missing.push(phrase('stories.leftOut', { sources }));
  }
  return missing;
}

import { type Sentence, type StorySource, storySources, storyTraits } from '@voltdeck/charging/story/story-kinds';
import type { Permission, RoutePermission } from '@voltdeck/contract/permissions';
import type { Story, StoryEntry, StoryLink } from '@voltdeck/contract/stories';
import type { SessionId } from '@voltdeck/units/id';
import { type Instant, isoOrNull, toIso } from '@voltdeck/units/instant';
import type { Kysely } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { may } from '../caller/may.ts';
import type { Tables } from '../database/tables.generated.ts';
import { isFor } from '../http/bind-lists.ts';
import { KnownTotals } from '../http/known-totals.ts';
import { type AnySource, readPage } from '../http/list-source.ts';
import type { SecretBox } from '../secrets/secret-box.ts';

/** A story tells at most so many entries of each source: the newest. */
export const sourceEntriesMax = 100;

export type Listener = {
  db: Kysely<Tables>;
  caller: Caller;
  sessionId: SessionId;
  secrets: SecretBox;
  now: Instant;
};

type Further = {
  until?: Instant | null;
  link?: StoryLink | null;
  /** What is no trouble by its kind alone. */
  isTrouble?: boolean;
};

/** A story while it is gathered from its sources. */
export class Telling {
  readonly listener: Listener;
  readonly #entries: StoryEntry[] = [];
  readonly #leftOut = new Set<StorySource>();
  readonly #cut = new Map<StorySource, Story['cut'][number]>();

  constructor(listener: Listener) {
    this.listener = listener;
  }

  tell(
    at: Instant | string,
    sentence: Sentence | null,
    { until = null, link = null, isTrouble = false }: Further = {},
  ): void {
    if (sentence === null) return;
    const { of, weight } = storyTraits[sentence.kind];
    this.#entries.push({
      at: typeof at === 'string' ? at : toIso(at),
      until: isoOrNull(until),
      kind: sentence.kind,
      params: { ...sentence.params },
      weight: isTrouble ? 'trouble' : weight,
      of,
      link,
    });
  }

  /** Whether the station was silent at some time between these two. */
  isSilent(fromMs: number, toMs: number): boolean {
    return this.#entries.some(
      ({ kind, at, until }) => kind === 'silent' && Date.parse(at) < toMs && Date.parse(until ?? at) > fromMs,
    );
  }

  /** Whether the listener may read a source; where not, the story says that it is missing. */
  hears(of: StorySource, permission: RoutePermission): boolean {
    const isAllowed = [permission].flat().some((one) => may(this.listener.caller, one as Permission));
    if (!isAllowed) this.leaveOut(of);
    return isAllowed;
  }

  leaveOut(of: StorySource): void {
    this.#leftOut.add(of);
  }

  noteCut(of: StorySource, shown: number, more: number, isAtLeast: boolean): void {
    const before = this.#cut.get(of) ?? { of, shown: 0, more: 0, isAtLeast: false };
    this.#cut.set(of, {
      of,
      shown: before.shown + shown,
      more: before.more + more,
      isAtLeast: before.isAtLeast || isAtLeast,
    });
  }

  /** The newest rows of a list, by the rights and the data scope that the list itself has. */
  async read<Row>(of: StorySource, source: AnySource, filter: object): Promise<Row[]> {
    const { db, caller, sessionId, secrets, now } = this.listener;
    if (!isFor(source, caller)) {
      this.leaveOut(of);
      return [];
    }
    if (!this.hears(of, source.route.permission)) return [];
    const { items, total, totalIsAtLeast } = await readPage(
      source,
      db,
      { caller, at: now, sessionId, secrets },
      { filter, sort: undefined, span: { offset: 0, limit: sourceEntriesMax }, total: undefined },
      new KnownTotals(),
    );
    const more = (total ?? items.length) - items.length;
    if (more > 0) this.noteCut(of, items.length, more, totalIsAtLeast === true);
    return items as Row[];
  }

  told(): Pick<Story, 'entries' | 'leftOut' | 'cut'> {
    const rank = (entry: StoryEntry) => storySources.indexOf(entry.of);
    const entries = this.#entries.sort((a, b) => Date.parse(a.at) - Date.parse(b.at) || rank(a) - rank(b));
    return {
      entries,
      leftOut: storySources.filter((of) => this.#leftOut.has(of)),
      cut: [...this.#cut.values()],
    };
  }
}

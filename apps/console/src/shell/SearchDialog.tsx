import { HistoryOutlined, SearchOutlined, SettingOutlined, ThunderboltOutlined } from '@ant-design/icons';
import { foundTextMax, foundTextMin, searchRecords } from '@voltdeck/contract/search';
import { Input, type InputRef, Modal } from 'antd';
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useAnswer } from '../api/queries.ts';
import { language } from '../language.ts';
import { phrase } from '../phrases.ts';
import type { ShownScreen } from '../session/menus.ts';
import { useSession } from '../session/session.ts';
import { to } from '../session/to.ts';
import { useMayGo } from '../session/use-go.ts';
import { isPressed } from '../ui/keys.ts';
import { offeredActs } from '../ui/offered-acts.ts';
import { useNarrow } from '../ui/use-narrow.ts';
import type { Spells } from './find-screens.ts';
import styles from './search-dialog.module.css';
import { type Entry, entryFinder, entryOfAct, type Group, groupsOfFound, recentOf } from './search-entries.tsx';
import { keepVisit, visitsOf } from './search-memory.ts';
import { type ConsoleDialogs, useConsoleActs } from './use-console-acts.ts';

/** Records are searched once typing has paused for this long. */
const restMs = 200;

type Props = ConsoleDialogs & {
  screens: readonly ShownScreen[];
  allowed: ReadonlySet<string>;
  onClose: () => void;
};

/** Finds screens, records and acts, all by keyboard. */
export default function SearchDialog({ screens, allowed, onClose, ...dialogs }: Props) {
  const { user } = useSession();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const [visits] = useState(() => visitsOf(user.id));
  const field = useRef<InputRef>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const before = useFocusBefore();
  // A phone has no such keys.
  const keysNote = useNarrow() ? '' : phrase('search.keys');
  const acts = useConsoleActs(dialogs);
  const here = offeredActs();
  const ofTabs = here.find(({ on }) => on !== undefined)?.on ?? '';
  const entriesOf = (on: string | undefined) =>
    here.filter((act) => act.on === on).map((act) => entryOfAct(act, <ThunderboltOutlined />));
  const groupsOfActs = [
    { key: 'here', title: phrase('search.here'), entries: entriesOf(undefined) },
    { key: 'tabs', title: ofTabs, entries: entriesOf(ofTabs) },
    {
      key: 'console',
      title: phrase('search.console'),
      entries: acts.map((act) => entryOfAct(act, <SettingOutlined />)),
    },
  ];
  const { others, spells } = useSpellings();
  const offer = { screens, groups: groupsOfActs };
  const records = useRecords(text, screens);
  useEffect(() => field.current?.focus(), []);

  const groups =
    text.trim() === ''
      ? [
          ...recentOf(visits, offer, (path) => allowed.has(path), <HistoryOutlined />),
          ...groupsOfActs.filter(({ entries }) => entries.length > 0),
        ]
      : [...entryFinder(offer, others, spells)(text, visits), ...records.groups].sort(
          (a, b) => a.distance - b.distance,
        );
  const entries = groups.flatMap((group) => group.entries);
  const active = Math.min(chosen, entries.length - 1);

  const open = (entry: Entry | undefined, isBeside: boolean) => {
    if (entry === undefined) return;
    if ('act' in entry) {
      if (entry.act.because !== undefined) return;
      keepVisit(user.id, { act: entry.key });
      before.restore();
      onClose();
      // The opened dialog takes the focus after this one has released it.
      setTimeout(entry.act.onClick);
      return;
    }
    if (!entry.key.startsWith('all ')) keepVisit(user.id, { title: entry.title, path: entry.path });
    if (isBeside) {
      window.open(entry.path, '_blank', 'noopener');
      return;
    }
    onClose();
    navigate(entry.path);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { nativeEvent } = event;
    // The Enter that ends a composition chooses a character, not a result.
    if (nativeEvent.isComposing) return;
    const next = { ArrowDown: active + 1, ArrowUp: active - 1, Home: 0, End: entries.length - 1 }[event.key];
    if (isPressed(nativeEvent, 'open') || isPressed(nativeEvent, 'openBeside')) {
      event.preventDefault();
      open(entries[active], isPressed(nativeEvent, 'openBeside'));
    } else if (next !== undefined && entries.length > 0 && (isPressed(nativeEvent, 'choose') || event.ctrlKey)) {
      event.preventDefault();
      setChosen((next + entries.length) % entries.length);
    }
  };
  useEffect(() => {
    list.current?.querySelector(`[data-index="${active}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  let index = -1;
  return (
    <Modal
      open
      onCancel={() => {
        before.restore();
        onClose();
      }}
      closable={false}
      footer={null}
      width={640}
      title={<span className="for-readers">{phrase('shell.search')}</span>}
      styles={{ body: { padding: 0 }, header: { margin: 0 } }}
      className={styles.dialog ?? ''}
    >
      <search className={styles.search}>
        <Input
          ref={field}
          size="large"
          variant="borderless"
          prefix={<SearchOutlined />}
          placeholder={phrase('search.hint')}
          maxLength={foundTextMax}
          value={text}
          role="combobox"
          aria-label={phrase('shell.search')}
          aria-expanded={entries.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          {...(entries.length === 0 ? {} : { 'aria-activedescendant': `${id}-${active}` })}
          onChange={(event) => {
            setText(event.target.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
        <div id={`${id}-list`} ref={list} role="listbox" aria-label={phrase('shell.search')} className={styles.list}>
          {groups.map((group) => (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset is no child of a listbox
            <div key={group.key} role="group" aria-label={group.title}>
              <div className={styles.group} aria-hidden="true">
                {group.title}
              </div>
              {group.entries.map((entry) => {
                index += 1;
                const own = index;
                return (
                  <Option
                    key={entry.key}
                    id={`${id}-${own}`}
                    index={own}
                    entry={entry}
                    isActive={own === active}
                    onOpen={(isBeside) => open(entry, isBeside)}
                    onPoint={() => setChosen(own)}
                  />
                );
              })}
            </div>
          ))}
        </div>
        <p className={styles.note} role="status">
          {noteOf(text, entries.filter(({ key }) => !key.startsWith('all ')).length, records, keysNote)}
        </p>
      </search>
    </Modal>
  );
}

type OptionProps = {
  id: string;
  index: number;
  entry: Entry;
  isActive: boolean;
  onOpen: (isBeside: boolean) => void;
  onPoint: () => void;
};

/** Results are links, so that they can open in a new tab; the field keeps the focus and handles the keys. */
function Option({ id, index, entry, isActive, onOpen, onPoint }: OptionProps) {
  const because = 'act' in entry ? entry.act.because : undefined;
  const same = {
    id,
    'aria-disabled': because === undefined ? undefined : true,
    'data-index': index,
    'data-danger': 'act' in entry && entry.act.danger === true,
    className: styles.place,
    onPointerMove: onPoint,
  };
  const content = (
    <>
      <span className={styles.icon}>{entry.icon}</span>
      <span className={styles.title}>{entry.title}</span>
      <span className={styles.detail}>{entry.detail}</span>
    </>
  );
  if ('act' in entry) {
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are heard at the field, which keeps the focus
      <div {...same} role="option" aria-selected={isActive} tabIndex={-1} onClick={() => onOpen(false)}>
        {content}
      </div>
    );
  }
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onOpen(false);
  };
  return (
    <a {...same} role="option" aria-selected={isActive} tabIndex={-1} href={entry.path} onClick={onClick}>
      {content}
    </a>
  );
}

/** Remembers the element focused before this dialog, which gets the focus back unless the user navigates. */
function useFocusBefore(): { restore: () => void } {
  const [focused] = useState(() => document.activeElement);
  return {
    restore: () => {
      if (focused instanceof HTMLElement && focused.isConnected) setTimeout(() => focused.focus());
    },
  };
}

/** Titles in the other language and pinyin spellings: loaded with the dialog, which works without them. */
function useSpellings(): { others: Readonly<Record<string, string>>; spells: Spells | null } {
  const [others, setOthers] = useState<Readonly<Record<string, string>>>({});
  const [spells, setSpells] = useState<Spells | null>(null);
  useEffect(() => {
    const words = language === 'en' ? import('@voltdeck/phrases/zh-CN/menus') : import('@voltdeck/phrases/en/menus');
    // Without a network the search uses what is loaded.
    words.then(({ menus }) => setOthers(menus)).catch(() => undefined);
    import('./spell-pinyin.ts').then(({ spellsPinyin }) => setSpells(() => spellsPinyin)).catch(() => undefined);
  }, []);
  return { others, spells };
}

const listed = (names: readonly string[]) => new Intl.ListFormat(language, { type: 'conjunction' }).format(names);

function noteOf(text: string, count: number, records: Records, keysNote: string): string {
  const wanted = text.trim();
  if (wanted === '') return keysNote;
  if (records.isBusy) return phrase('search.busy');
  if (records.hasFailed) return phrase('search.recordsFailed');
  if (records.unfinished.length > 0) return phrase('search.unfinished', { count, kinds: listed(records.unfinished) });
  if (count > 0) return [phrase('search.count', { count }), keysNote].filter((part) => part !== '').join(' · ');
  if (wanted.length < foundTextMin) return phrase('search.recordsSoon');
  return phrase('search.nothing', { text: wanted });
}

type Records = {
  groups: readonly Group[];
  /** Names of the kinds that may have more than was found in time. */
  unfinished: readonly string[];
  isBusy: boolean;
  hasFailed: boolean;
};

/** Records that the server finds by part of a number or name, once typing has paused. */
function useRecords(text: string, screens: readonly ShownScreen[]): Records {
  const mayGo = useMayGo();
  const wanted = text.trim();
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), restMs);
    return () => clearTimeout(timer);
  }, [wanted]);
  const isLong = wanted.length >= foundTextMin && asked.length >= foundTextMin;
  const answer = useAnswer(
    searchRecords,
    { query: { text: asked }, quiet: true },
    { enabled: isLong, keepPrevious: true, staleMs: 10_000 },
  );
  const groups = useMemo(() => {
    const nameOf = (screen: Parameters<typeof mayGo>[0]) =>
      screens.find(({ path }) => path === to(screen as never))?.title;
    return groupsOfFound(
      (isLong ? answer.data?.kinds : undefined) ?? [],
      wanted,
      mayGo,
      (screen) => nameOf(screen) ?? '',
    );
  }, [answer.data, isLong, wanted, mayGo, screens]);
  return {
    groups,
    unfinished: (isLong ? answer.data?.unfinished : undefined)?.map((kind) => phrase(`search.kind.${kind}`)) ?? [],
    isBusy: wanted.length >= foundTextMin && (asked !== wanted || answer.isFetching),
    hasFailed: isLong && answer.isError,
  };
}

import { HistoryOutlined, SearchOutlined } from '@ant-design/icons';
import { foundKinds, searchRecords } from '@voltdeck/contract/search';
import { Input, type InputRef, Modal } from 'antd';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import type { Screen } from '../session/menus.ts';
import { useSession } from '../session/session.ts';
import { menuIcon } from '../ui/menu-icons.tsx';
import { screenFinder } from './find-screens.ts';
import { addressOfFound } from './found-places.ts';
import styles from './search-dialog.module.css';
import { keepVisit, visitsOf } from './search-memory.ts';

/** The server looks for numbers from this length on (contract, searchRecords). */
const recordTextMin = 3;
const recordTextMax = 64;
/** Records are asked for when the typing rests. */
const restMs = 200;

type Place = { key: string; path: string; title: string; detail: string; icon: ReactNode; isExact?: boolean };
type Group = { key: string; title: string; places: readonly Place[] };

const kindTitles = {
  order: 'shell.searchOrders',
  station: 'shell.searchStations',
  card: 'shell.searchCards',
  customer: 'shell.searchCustomers',
} as const;
const kindIcons = { order: 'order', station: 'station', card: 'card', customer: 'customer' } as const;

type Props = { screens: readonly Screen[]; allowed: ReadonlySet<string>; onClose: () => void };

/** Finds screens by title and path, and records by the beginning of their number; the keyboard goes all the way. */
export default function SearchDialog({ screens, allowed, onClose }: Props) {
  const { user } = useSession();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const field = useRef<InputRef>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const find = useMemo(() => screenFinder(screens), [screens]);
  const records = useRecords(text, allowed);
  useEffect(() => field.current?.focus(), []);

  const groups = (
    text.trim() === '' ? [recentOf(user.id, allowed)] : [screensAs(find(text)), ...records.groups]
  ).filter(({ places }) => places.length > 0);
  // Somebody who types a whole number wants the record, not a screen that sounds like it.
  groups.sort((a, b) => Number(hasExact(b)) - Number(hasExact(a)));
  const places = groups.flatMap((group) => group.places);
  const active = Math.min(chosen, places.length - 1);

  const open = (place: Place | undefined) => {
    if (place === undefined) return;
    keepVisit(user.id, { title: place.title, path: place.path });
    onClose();
    navigate(place.path);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // The Enter that ends a composition chooses a character, not a place.
    if (event.nativeEvent.isComposing) return;
    const next = { ArrowDown: active + 1, ArrowUp: active - 1, Home: 0, End: places.length - 1 }[event.key];
    if (event.key === 'Enter') {
      event.preventDefault();
      open(places[active]);
    } else if (next !== undefined && places.length > 0 && (event.key.startsWith('Arrow') || event.ctrlKey)) {
      event.preventDefault();
      setChosen((next + places.length) % places.length);
    }
  };
  useEffect(() => {
    list.current?.querySelector(`[data-index="${active}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  let index = -1;
  return (
    <Modal
      open
      onCancel={onClose}
      closable={false}
      footer={null}
      width={600}
      title={<span className="for-readers">{phrase('shell.search')}</span>}
      styles={{ body: { padding: 0 }, header: { margin: 0 } }}
      style={{ top: 64 }}
    >
      <search className={styles.search}>
        <Input
          ref={field}
          size="large"
          variant="borderless"
          prefix={<SearchOutlined />}
          placeholder={phrase('shell.searchHint')}
          maxLength={recordTextMax}
          value={text}
          role="combobox"
          aria-label={phrase('shell.search')}
          aria-expanded={places.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          {...(places.length === 0 ? {} : { 'aria-activedescendant': `${id}-${active}` })}
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
              {group.places.map((place) => {
                index += 1;
                const own = index;
                return (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are heard at the field, which keeps the focus
                  // biome-ignore lint/a11y/useFocusableInteractive: as above; aria-activedescendant points here
                  <div
                    key={place.key}
                    id={`${id}-${own}`}
                    role="option"
                    aria-selected={own === active}
                    data-index={own}
                    className={styles.place}
                    onClick={() => open(place)}
                    onPointerMove={() => setChosen(own)}
                  >
                    <span className={styles.icon}>{place.icon}</span>
                    <span className={styles.title}>{place.title}</span>
                    <span className={styles.detail}>{place.detail}</span>
                  </div>
                );
              })}
            </div>
          ))}
        </div>
        <p className={styles.note} role="status">
          {noteOf(text, places.length, records)}
        </p>
      </search>
    </Modal>
  );
}

const hasExact = (group: Group) => group.places.some(({ isExact }) => isExact);

function noteOf(text: string, count: number, records: Records): string {
  const wanted = text.trim();
  if (wanted === '') return phrase(count === 0 ? 'shell.searchEmpty' : 'shell.searchKeys');
  if (records.isBusy) return phrase('shell.searching');
  if (records.hasFailed) return phrase('shell.searchRecordsFailed');
  if (count > 0) return `${phrase('shell.searchCount', { count })} · ${phrase('shell.searchKeys')}`;
  if (wanted.length < recordTextMin) return phrase('shell.searchRecordsSoon');
  return phrase('shell.searchNothing', { text: wanted });
}

function screensAs(screens: readonly Screen[]): Group {
  return {
    key: 'screens',
    title: phrase('shell.searchPages'),
    places: screens.map(({ path, title, icon, above }) => ({
      key: path,
      path,
      title,
      detail: above.join(' / '),
      icon: menuIcon(icon),
    })),
  };
}

function recentOf(userId: number, allowed: ReadonlySet<string>): Group {
  return {
    key: 'recent',
    title: phrase('shell.searchRecent'),
    places: visitsOf(userId)
      .filter(({ path }) => allowed.has(path.split('?')[0] ?? path))
      .map(({ title, path }) => ({ key: path, path, title, detail: '', icon: <HistoryOutlined /> })),
  };
}

type Records = { groups: readonly Group[]; isBusy: boolean; hasFailed: boolean };

/** What the server finds by the beginning of a number, asked for when the typing rests. */
function useRecords(text: string, allowed: ReadonlySet<string>): Records {
  const wanted = text.trim();
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), restMs);
    return () => clearTimeout(timer);
  }, [wanted]);
  const isLong = wanted.length >= recordTextMin;
  const answer = useAnswer(
    searchRecords,
    { query: { text: asked }, quiet: true },
    { enabled: isLong && asked.length >= recordTextMin, keepPrevious: true, staleMs: 10_000 },
  );
  const found = isLong && asked.length >= recordTextMin ? (answer.data ?? []) : [];
  const groups = foundKinds.map((kind) => ({
    key: kind,
    title: phrase(kindTitles[kind]),
    places: found
      .filter((one) => one.kind === kind)
      .flatMap((one) => {
        const path = addressOfFound(one, allowed);
        if (path === null) return [];
        return [
          {
            key: `${kind} ${one.id}`,
            path,
            title: one.number,
            detail: one.detail,
            icon: menuIcon(kindIcons[kind]),
            isExact: one.number.toLowerCase() === wanted.toLowerCase(),
          },
        ];
      }),
  }));
  return {
    groups,
    isBusy: isLong && (asked !== wanted || answer.isFetching),
    hasFailed: isLong && answer.isError,
  };
}

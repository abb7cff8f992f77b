import { CaretRightOutlined, SearchOutlined } from '@ant-design/icons';
import { listRegionSites, listRegionTallies, type MapSite, type RegionTally } from '@voltdeck/contract/overview';
import { parentCodeOf } from '@voltdeck/regions/regions';
import { Button, Input, Skeleton } from 'antd';
import { type KeyboardEvent, type ReactNode, useDeferredValue, useRef, useState } from 'react';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { countText } from '../ui/figures.ts';
import { PortTally } from '../ui/PortTally.tsx';
import { ToneShape } from '../ui/ToneShape.tsx';
import styles from './home.module.css';
import { given, nextCount, useMovingAnswers } from './moving-answers.ts';
import { SiteButton } from './SiteButton.tsx';
import { siteTones } from './site-map-states.ts';
import { onTreeKey } from './tree-keys.ts';

type Props = {
  region: string | null;
  siteId: number | null;
  onRegion: (code: string | null) => void;
  onSite: (id: number, region: string | null) => void;
};

type Branch = Props & {
  isOpen: (code: string) => boolean;
  toggle: (code: string, isOpen: boolean) => void;
};

/** The region itself and those around it, which are open when the page is. */
function pathTo(code: string | null): string[] {
  return code === null ? [] : [...pathTo(parentCodeOf(code)), code];
}

/** Regions down to their sites, each level fetched when it is opened; those in trouble first. */
export function RegionTree(props: Props) {
  const { region, siteId, onRegion, onSite } = props;
  const [text, setText] = useState('');
  const typed = useDeferredValue(text.trim());
  const [opened, setOpened] = useState<ReadonlyMap<string, boolean>>(
    () => new Map(pathTo(region).map((code) => [code, true])),
  );
  const tree = useRef<HTMLDivElement>(null);
  useMovingAnswers(listRegionTallies, listRegionSites);
  const branch: Branch = {
    ...props,
    isOpen: (code) => opened.get(code) ?? false,
    toggle: (code, isOpen) => setOpened((current) => new Map(current).set(code, isOpen)),
  };
  const onKey = (event: KeyboardEvent) => onTreeKey(event, tree.current);
  return (
    <section className={styles.list} aria-label={phrase('overview.tree')}>
      <search className={styles.search}>
        <Input
          allowClear
          maxLength={64}
          aria-label={phrase('overview.searchSite')}
          placeholder={phrase('overview.searchSite')}
          prefix={<SearchOutlined aria-hidden="true" />}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </search>
      {typed === '' ? (
        <div ref={tree} role="tree" aria-label={phrase('overview.tree')} className={styles.tree} onKeyDown={onKey}>
          <Row
            level={1}
            isOpen
            isChosen={region === null && siteId === null}
            isStop={region === null && siteId === null}
            onChoose={() => onRegion(null)}
            name={phrase('overview.country')}
          >
            <Inside code={null} level={2} branch={branch} />
          </Row>
        </div>
      ) : (
        <Found text={typed} siteId={siteId} onSite={onSite} />
      )}
    </section>
  );
}

/** What is directly within a region: the regions one level below, then its own sites. */
function Inside({ code, level, branch }: { code: string | null; level: number; branch: Branch }) {
  const query = code === null ? {} : { regionCode: code };
  const answer = useAnswer(listRegionTallies, { query }, { keepPrevious: true });
  if (answer.data === undefined) {
    return <Waiting level={level}>{answer.isError ? <Retry answer={answer} /> : null}</Waiting>;
  }
  const { regions, ownSites } = answer.data;
  return (
    <>
      {regions.map((region) => (
        <RegionRow key={region.code} region={region} level={level} branch={branch} />
      ))}
      {code === null || ownSites === 0 ? null : <OwnSites code={code} level={level} branch={branch} />}
      {code === null && regions.length === 0 ? (
        <Waiting level={level}>
          <span className={styles.quiet}>{phrase('overview.noSites')}</span>
        </Waiting>
      ) : null}
    </>
  );
}

function RegionRow({ region, level, branch }: { region: RegionTally; level: number; branch: Branch }) {
  const { code, name, sites, connectors } = region;
  const isOpen = branch.isOpen(code);
  const isChosen = branch.siteId === null && branch.region === code;
  return (
    <Row
      level={level}
      isOpen={isOpen}
      isChosen={isChosen}
      isStop={isChosen}
      onChoose={() => {
        branch.toggle(code, true);
        branch.onRegion(code);
      }}
      onToggle={() => branch.toggle(code, !isOpen)}
      name={name}
      note={countText(sites)}
      noteTitle={phrase('overview.siteCount', { count: sites })}
      tally={connectors}
    >
      {isOpen ? <Inside code={code} level={level + 1} branch={branch} /> : null}
    </Row>
  );
}

function OwnSites({ code, level, branch }: { code: string; level: number; branch: Branch }) {
  const [count, setCount] = useState<number>();
  const query = { ...given({ regionCode: code, count }), own: true };
  const answer = useAnswer(listRegionSites, { query }, { keepPrevious: true });
  if (answer.data === undefined) {
    return <Waiting level={level}>{answer.isError ? <Retry answer={answer} /> : null}</Waiting>;
  }
  const { items, matching } = answer.data;
  const more = nextCount(items.length, matching);
  return (
    <>
      {items.map((site) => (
        <SiteRow key={site.id} site={site} level={level} branch={branch} />
      ))}
      {more === null ? null : (
        <Row
          level={level}
          isChosen={false}
          isStop={false}
          onChoose={() => setCount(more)}
          name={phrase('overview.more', { count: countText(Math.min(more, matching) - items.length) })}
        />
      )}
    </>
  );
}

function SiteRow({ site, level, branch }: { site: MapSite; level: number; branch: Branch }) {
  const isChosen = branch.siteId === site.id;
  return (
    <Row
      level={level}
      isChosen={isChosen}
      isStop={isChosen}
      onChoose={() => branch.onSite(site.id, site.regionCode)}
      name={site.name}
      shape={<ToneShape tone={siteTones[site.state]} sizePx={12} />}
      tally={site.connectors}
    />
  );
}

type RowProps = {
  level: number;
  /** Absent for a row that nothing is within. */
  isOpen?: boolean;
  isChosen: boolean;
  /** Tab reaches this row. */
  isStop: boolean;
  onChoose: () => void;
  onToggle?: () => void;
  name: string;
  shape?: ReactNode;
  note?: string;
  noteTitle?: string;
  tally?: MapSite['connectors'];
  children?: ReactNode;
};

function Row({ level, isOpen, isChosen, isStop, onChoose, onToggle, name, children, ...rest }: RowProps) {
  const { shape, note, noteTitle, tally } = rest;
  return (
    <div role="none" className={styles.branch}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys of all rows */}
      <div
        role="treeitem"
        aria-level={level}
        aria-selected={isChosen}
        {...(isOpen === undefined ? {} : { 'aria-expanded': isOpen })}
        tabIndex={isStop ? 0 : -1}
        className={styles.row}
        style={{ paddingInlineStart: level * 14 - 8 }}
        onClick={onChoose}
      >
        {isOpen === undefined || onToggle === undefined ? (
          (shape ?? <span className={styles.caret} />)
        ) : (
          <CaretRightOutlined
            aria-hidden="true"
            className={styles.caret}
            data-toggle
            rotate={isOpen ? 90 : 0}
            onClick={(event) => {
              event.stopPropagation();
              onToggle();
            }}
          />
        )}
        <span className={styles.siteText} title={name}>
          {name}
        </span>
        {note === undefined ? null : (
          <span className={`figure ${styles.quiet}`} title={noteTitle}>
            {note}
          </span>
        )}
        {tally === undefined ? null : <PortTally tally={tally} />}
      </div>
      {children == null ? null : (
        // biome-ignore lint/a11y/useSemanticElements: a group of a tree has no element of its own
        <div role="group">{children}</div>
      )}
    </div>
  );
}

function Waiting({ level, children }: { level: number; children: ReactNode }) {
  return (
    <div style={{ padding: '6px 12px', paddingInlineStart: level * 14 }}>
      {children ?? (
        <span aria-busy="true">
          <Skeleton active title={false} paragraph={{ rows: 2 }} />
        </span>
      )}
    </div>
  );
}

function Retry({ answer }: { answer: { refetch: () => unknown } }) {
  return (
    <Button type="link" size="small" onClick={() => void answer.refetch()}>
      {phrase('overview.treeFailed')}
    </Button>
  );
}

/** Sites by their name or address, wherever they are. */
function Found({ text, siteId, onSite }: Pick<Props, 'siteId' | 'onSite'> & { text: string }) {
  const [count, setCount] = useState<number>();
  const answer = useAnswer(listRegionSites, { query: given({ text, count }) }, { keepPrevious: true });
  if (answer.data === undefined) {
    if (answer.isError) return <ErrorState failure={answer.error} retry={() => void answer.refetch()} />;
    return (
      <div className={styles.listWaiting} aria-busy="true">
        <Skeleton active />
      </div>
    );
  }
  const { items, matching } = answer.data;
  const more = nextCount(items.length, matching);
  return (
    <>
      <p className={styles.foundCount} role="status">
        {matching === 0 ? phrase('overview.noMatch') : phrase('overview.siteCount', { count: matching })}
      </p>
      <ul className={styles.sites}>
        {items.map((site) => (
          <li key={site.id}>
            <SiteButton site={site} isChosen={site.id === siteId} onSelect={(id) => onSite(id, site.regionCode)} />
          </li>
        ))}
      </ul>
      {more === null ? null : (
        <Button type="link" block onClick={() => setCount(more)}>
          {phrase('overview.more', { count: countText(Math.min(more, matching) - items.length) })}
        </Button>
      )}
    </>
  );
}

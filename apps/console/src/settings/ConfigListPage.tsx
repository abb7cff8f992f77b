import { type Config, deleteConfig, listConfigs } from '@voltdeck/contract/settings';
import { call } from '../api/call.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { nothingText } from '../ui/figures.ts';
import { ListPage } from '../ui/ListPage.tsx';
import { deletion, formIn } from '../ui/list/usual-acts.ts';
import type { Acts, ListPageProps, OverlayProps } from '../ui/list-page.ts';
import { StateTag } from '../ui/StateTag.tsx';
import styles from './settings.module.css';

/** Lazy: most visits to a list never open it. */
const ConfigFormDrawer = lazyPart(() => import('./ConfigFormDrawer.tsx'));

/** A value on one line; for a secret only whether it is set. */
function ConfigValue({ config }: { config: Config }) {
  if (config.secret) {
    return (
      <StateTag tone={config.hasValue ? 'free' : 'offline'}>
        {phrase(config.hasValue ? 'settings.set' : 'settings.notSet')}
      </StateTag>
    );
  }
  if (config.value === '') return nothingText;
  const lines = config.value.split('\n');
  return (
    <span className={styles.value} title={config.value}>
      <code>{lines[0]}</code>
      {lines.length === 1 ? null : (
        <span className={styles.lines}>{phrase('settings.valueLines', { count: lines.length })}</span>
      )}
    </span>
  );
}

const look: ListPageProps<typeof listConfigs>['look'] = {
  name: {
    widthPx: 220,
    isPinned: true,
    render: ({ name, builtIn }) => (
      <span className={styles.name}>
        {name}
        {builtIn ? <span className={styles.mark}>{phrase('settings.builtIn')}</span> : null}
      </span>
    ),
  },
  key: { widthPx: 200 },
  value: { widthPx: 280, render: (config) => <ConfigValue config={config} /> },
  public: { widthPx: 72 },
  secret: { widthPx: 72 },
  remark: { widthPx: 240 },
};

const savedText = ({ name }: Config) => phrase('settings.saved', { name });

function formOf(config: Config | null, over: OverlayProps<Config>) {
  return <ConfigFormDrawer config={config} {...formIn(over, savedText)} />;
}

const acts: Acts<Config> = {
  add: { on: 'list', label: 'settings.add', may: 'config.edit', overlay: (over) => formOf(null, over) },
  edit: { on: 'row', label: 'settings.edit', may: 'config.edit', overlay: formOf },
  delete: deletion({
    label: 'settings.delete',
    may: 'config.edit',
    because: ({ builtIn }) => (builtIn ? phrase('error.config.built_in') : undefined),
    question: ({ name, key }) => phrase('settings.deleteQuestion', { name, key }),
    details: 'settings.deleteDetails',
    act: ({ id }, idempotencyKey) => call(deleteConfig, { query: { id }, idempotencyKey }),
    told: ({ name }) => phrase('settings.deleted', { name }),
  }),
};

/** Parameters that pages and programs read by key; /configList. */
export default function ConfigListPage() {
  return (
    <ListPage
      list={listConfigs}
      title="settings.title"
      record="settings.parameter"
      filters={{ name: {}, key: {} }}
      look={look}
      acts={acts}
      empty={{ title: 'settings.empty', text: 'settings.emptyText' }}
    />
  );
}

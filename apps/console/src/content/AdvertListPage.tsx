import { type Advert, deleteAdvert, enableAdvert, listAdverts } from '@voltdeck/contract/adverts';
import { call } from '../api/call.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { nothingText } from '../ui/figures.ts';
import { ListPage } from '../ui/ListPage.tsx';
import { deletion, formIn } from '../ui/list/usual-acts.ts';
import type { Acts, Filters, ListPageProps, OverlayProps } from '../ui/list-page.ts';
import { Thumbnail } from '../ui/Thumbnail.tsx';
import styles from './content.module.css';
import { EnabledSwitch } from './EnabledSwitch.tsx';

/** Lazy: most visits to a list never open it. */
const AdvertFormDrawer = lazyPart(() => import('./AdvertFormDrawer.tsx'));
const AdvertPreview = lazyPart(() => import('./AdvertPreview.tsx'));

const filters: Filters<typeof listAdverts> = {
  title: {},
  displayPage: { title: 'content.displayPage', words: 'advert-page' },
  enabled: {},
};

const shownWords = {
  label: 'content.showAdvert',
  states: ['content.shown', 'content.hidden'],
  outcomes: ['content.advertShown', 'content.advertHidden'],
} as const;

const look: ListPageProps<typeof listAdverts>['look'] = {
  title: { widthPx: 240, isPinned: true, opens: 'preview' },
  pictureUrl: {
    widthPx: 80,
    isKeyFact: true,
    render: ({ pictureUrl, title }, begin) => (
      <Thumbnail address={pictureUrl} name={title} onOpen={() => begin('preview')} />
    ),
  },
  page: { widthPx: 120 },
  enabled: {
    render: (advert) => (
      <EnabledSwitch
        of={advert}
        words={shownWords}
        may="advert.edit"
        change={(enabled) => call(enableAdvert, { params: { id: advert.id }, body: { enabled } })}
        changes={[listAdverts]}
      />
    ),
  },
  link: {
    widthPx: 280,
    render: ({ link }) =>
      link === '' ? (
        nothingText
      ) : (
        <a className={styles.cut} href={link} target="_blank" rel="noopener noreferrer" title={link}>
          {link}
        </a>
      ),
  },
};

const savedText = ({ title: name }: Advert) => phrase('content.saved', { name });

function formOf(advert: Advert | null, over: OverlayProps<Advert>) {
  return <AdvertFormDrawer advert={advert} {...formIn(over, savedText)} />;
}

const acts: Acts<Advert> = {
  add: { on: 'list', label: 'content.addAdvert', may: 'advert.edit', overlay: (over) => formOf(null, over) },
  edit: { on: 'row', label: 'content.edit', may: 'advert.edit', overlay: formOf },
  preview: {
    on: 'row',
    label: 'content.preview',
    overlay: (advert, { open, close }) => <AdvertPreview advert={advert} open={open} onClose={close} />,
  },
  delete: deletion({
    label: 'content.delete',
    may: 'advert.edit',
    question: ({ title: name }) => phrase('content.deleteAdvertQuestion', { name }),
    details: ({ enabled, page }) =>
      enabled
        ? phrase('content.deleteAdvertShown', { page: phrase(`advert-page.${page}`) })
        : phrase('content.deleteAdvertHidden'),
    act: ({ id }, idempotencyKey) => call(deleteAdvert, { params: { id }, idempotencyKey }),
    told: ({ title: name }) => phrase('content.deleted', { name }),
  }),
};

/** Pictures that the apps show; /advertList. */
export default function AdvertListPage() {
  return (
    <ListPage
      list={listAdverts}
      title="content.advertsTitle"
      record="content.advert"
      filters={filters}
      look={look}
      acts={acts}
      empty={{ title: 'content.noAdverts', text: 'content.noAdvertsText' }}
    />
  );
}

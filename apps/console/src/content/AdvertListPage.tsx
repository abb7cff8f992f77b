import { PlusOutlined } from '@ant-design/icons';
import { type Advert, advertPages, deleteAdvert, enableAdvert, listAdverts } from '@voltdeck/contract/content';
import { App, Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { call } from '../api/call.ts';
import { useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { useCan } from '../session/use-can.ts';
import { useConfirm } from '../ui/confirm.tsx';
import { countText, nothingText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { ListPage } from '../ui/ListPage.tsx';
import type { ListColumn, ListFilter, RowAction } from '../ui/list-page.ts';
import { Thumbnail } from '../ui/Thumbnail.tsx';
import { useReopenedDraft } from '../ui/use-draft.ts';
import styles from './content.module.css';
import { EnabledSwitch } from './EnabledSwitch.tsx';

/** Loaded when one is opened: a list is read far more often than it is acted on. */
const AdvertFormDrawer = lazy(() => import('./AdvertFormDrawer.tsx'));
const AdvertPreview = lazy(() => import('./AdvertPreview.tsx'));

type Acts = { preview: (advert: Advert) => void; enable: (advert: Advert, enabled: boolean) => Promise<unknown> };

function advertColumns({ preview, enable }: Acts): ListColumn<typeof listAdverts>[] {
  return [
    {
      key: 'title',
      title: phrase('content.advertTitle'),
      widthPx: 240,
      initiallyPinned: true,
      render: (advert) => advert.title,
    },
    {
      key: 'picture',
      title: phrase('content.picture'),
      widthPx: 80,
      render: (advert) => <Thumbnail address={advert.pictureUrl} name={advert.title} onOpen={() => preview(advert)} />,
    },
    {
      key: 'page',
      title: phrase('content.displayPage'),
      widthPx: 120,
      render: (advert) => phrase(`advert-page.${advert.page}`),
    },
    {
      key: 'enabled',
      title: phrase('content.state'),
      widthPx: 88,
      render: (advert) => (
        <EnabledSwitch
          enabled={advert.enabled}
          label={phrase('content.showAdvert', { name: advert.title })}
          on={phrase('content.shown')}
          off={phrase('content.hidden')}
          needs="advert.edit"
          change={(enabled) => enable(advert, enabled)}
        />
      ),
    },
    {
      key: 'link',
      title: phrase('content.link'),
      widthPx: 280,
      render: (advert) =>
        advert.link === '' ? (
          nothingText
        ) : (
          <a className={styles.cut} href={advert.link} target="_blank" rel="noopener noreferrer" title={advert.link}>
            {advert.link}
          </a>
        ),
    },
    {
      key: 'sort',
      title: phrase('content.sort'),
      hint: phrase('content.sortHint'),
      widthPx: 88,
      align: 'right',
      sort: 'sort',
      render: (advert) => <span className="figure">{countText(advert.sort)}</span>,
    },
    {
      key: 'createdAt',
      title: phrase('content.createdAt'),
      widthPx: 172,
      sort: 'createdAt',
      render: (advert) => <Instant at={advert.createdAt} />,
    },
  ];
}

function advertFilters(): ListFilter<typeof listAdverts>[] {
  return [
    { kind: 'text', name: 'title', label: phrase('content.advertTitle') },
    {
      kind: 'choice',
      name: 'displayPage',
      label: phrase('content.displayPage'),
      choices: advertPages.map((value) => ({ value, label: phrase(`advert-page.${value}`) })),
    },
    {
      kind: 'flag',
      name: 'enabled',
      label: phrase('content.state'),
      yes: phrase('content.shown'),
      no: phrase('content.hidden'),
    },
  ];
}

type Overlay = { kind: 'add' } | { kind: 'edit' | 'preview'; advert: Advert };

/** Pictures that the apps show; /advertList. */
export default function AdvertListPage() {
  const can = useCan();
  const confirm = useConfirm();
  const refresh = useRefresh();
  const { message } = App.useApp();
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  const [isOpen, setOpen] = useState(false);
  const show = (next: Overlay) => {
    setOverlay(next);
    setOpen(true);
  };
  const close = () => setOpen(false);
  useReopenedDraft('advert add', () => show({ kind: 'add' }));

  const enable = async (advert: Advert, enabled: boolean) => {
    await call(enableAdvert, { params: { id: advert.id }, body: { enabled } });
    message.success(phrase(enabled ? 'content.advertShown' : 'content.advertHidden', { name: advert.title }));
    await refresh(listAdverts);
  };

  const remove = (advert: Advert) =>
    void confirm({
      question: phrase('content.deleteAdvertQuestion', { name: advert.title }),
      details: advert.enabled
        ? phrase('content.deleteAdvertShown', { page: phrase(`advert-page.${advert.page}`) })
        : phrase('content.deleteAdvertHidden'),
      verb: phrase('content.delete'),
      danger: true,
      act: async () => {
        await call(deleteAdvert, { params: { id: advert.id } });
        message.success(phrase('content.deleted', { name: advert.title }));
        await refresh(listAdverts);
      },
    });

  const actsOf = (advert: Advert): RowAction[] => [
    ...(can('advert.edit')
      ? [{ key: 'edit', label: phrase('content.edit'), onClick: () => show({ kind: 'edit', advert }) }]
      : []),
    { key: 'preview', label: phrase('content.preview'), onClick: () => show({ kind: 'preview', advert }) },
    ...(can('advert.edit')
      ? [{ key: 'delete', label: phrase('content.delete'), onClick: () => remove(advert), danger: true }]
      : []),
  ];

  const add = can('advert.edit') ? (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => show({ kind: 'add' })}>
      {phrase('content.addAdvert')}
    </Button>
  ) : null;

  return (
    <>
      <ListPage
        name="adverts"
        title={phrase('content.advertsTitle')}
        route={listAdverts}
        rowKey={(advert) => advert.id}
        rowName={(advert) => `${phrase('content.advert')} ${advert.title}`}
        filters={advertFilters()}
        columns={advertColumns({ preview: (advert) => show({ kind: 'preview', advert }), enable })}
        toolbar={add}
        rowActions={actsOf}
        empty={{ title: phrase('content.noAdverts'), text: phrase('content.noAdvertsText'), action: add }}
      />
      <Suspense>
        {overlay?.kind === 'add' || overlay?.kind === 'edit' ? (
          <AdvertFormDrawer
            key={overlay.kind === 'add' ? 'add' : overlay.advert.id}
            advert={overlay.kind === 'add' ? null : overlay.advert}
            open={isOpen}
            onClose={close}
            onSaved={(advert) => message.success(phrase('content.saved', { name: advert.title }))}
          />
        ) : null}
        {overlay?.kind === 'preview' ? (
          <AdvertPreview key={overlay.advert.id} advert={overlay.advert} open={isOpen} onClose={close} />
        ) : null}
      </Suspense>
    </>
  );
}

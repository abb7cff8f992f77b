import { PlusOutlined } from '@ant-design/icons';
import {
  type Article,
  articleCategories,
  deleteArticle,
  enableArticle,
  getArticle,
  listArticles,
} from '@voltdeck/contract/content';
import { App, Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { call } from '../api/call.ts';
import { useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { useCan } from '../session/use-can.ts';
import { CopyNumber } from '../ui/CopyNumber.tsx';
import { useConfirm } from '../ui/confirm.tsx';
import { countText, nothingText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { ListPage } from '../ui/ListPage.tsx';
import type { ListColumn, ListFilter, RowAction, RowOf } from '../ui/list-page.ts';
import { useReopenedDraft } from '../ui/use-draft.ts';
import { useTell } from '../ui/use-tell.ts';
import styles from './content.module.css';
import { EnabledSwitch } from './EnabledSwitch.tsx';

/** Loaded when one is opened: a list is read far more often than it is acted on. */
const ArticleFormDrawer = lazy(() => import('./ArticleFormDrawer.tsx'));
const ArticlePreview = lazy(() => import('./ArticlePreview.tsx'));

type Row = RowOf<typeof listArticles>;
type Acts = { preview: (row: Row) => void; enable: (row: Row, enabled: boolean) => Promise<unknown> };

function articleColumns({ preview, enable }: Acts): ListColumn<typeof listArticles>[] {
  return [
    {
      key: 'title',
      title: phrase('content.articleTitle'),
      widthPx: 260,
      initiallyPinned: true,
      render: (article) => (
        <button type="button" className={styles.linkButton} title={article.title} onClick={() => preview(article)}>
          {article.title}
        </button>
      ),
    },
    {
      key: 'category',
      title: phrase('content.category'),
      widthPx: 100,
      render: (article) => phrase(`article-category.${article.category}`),
    },
    {
      key: 'key',
      title: phrase('content.articleKey'),
      widthPx: 152,
      render: (article) => (article.key === null ? nothingText : <CopyNumber value={article.key} />),
    },
    {
      key: 'enabled',
      title: phrase('content.state'),
      widthPx: 80,
      render: (article) => (
        <EnabledSwitch
          enabled={article.enabled}
          label={phrase('content.publish', { name: article.title })}
          on={phrase('content.published')}
          off={phrase('content.unpublished')}
          needs="article.edit"
          change={(enabled) => enable(article, enabled)}
        />
      ),
    },
    {
      key: 'sort',
      title: phrase('content.sort'),
      hint: phrase('content.sortHint'),
      widthPx: 80,
      align: 'right',
      sort: 'sort',
      render: (article) => <span className="figure">{countText(article.sort)}</span>,
    },
    {
      key: 'remark',
      title: phrase('content.remark'),
      widthPx: 184,
      render: (article) => article.remark || nothingText,
    },
    {
      key: 'changedAt',
      title: phrase('content.changedAt'),
      widthPx: 172,
      sort: 'changedAt',
      render: (article) => <Instant at={article.changedAt} />,
    },
    {
      key: 'createdAt',
      title: phrase('content.createdAt'),
      widthPx: 172,
      sort: 'createdAt',
      render: (article) => <Instant at={article.createdAt} />,
    },
  ];
}

function articleFilters(): ListFilter<typeof listArticles>[] {
  return [
    { kind: 'text', name: 'title', label: phrase('content.articleTitle') },
    {
      kind: 'choice',
      name: 'category',
      label: phrase('content.category'),
      choices: articleCategories.map((value) => ({ value, label: phrase(`article-category.${value}`) })),
    },
    {
      kind: 'flag',
      name: 'enabled',
      label: phrase('content.state'),
      yes: phrase('content.published'),
      no: phrase('content.unpublished'),
    },
    { kind: 'text', name: 'key', label: phrase('content.articleKey') },
  ];
}

type Overlay = { kind: 'add' } | { kind: 'edit' | 'preview'; article: Article };

/** What the apps tell their users: guides, about us; /newsList. */
export default function ArticleListPage() {
  const can = useCan();
  const confirm = useConfirm();
  const refresh = useRefresh();
  const tell = useTell();
  const { message } = App.useApp();
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const show = (next: Overlay) => {
    setOverlay(next);
    setOpen(true);
  };
  useReopenedDraft('article add', () => show({ kind: 'add' }));
  /** The list knows no contents; what is opened is read first. */
  const openOne = async (kind: 'edit' | 'preview', row: Row) => {
    try {
      show({ kind, article: await call(getArticle, { params: { id: row.id } }) });
    } catch (failure) {
      tell(failure);
    }
  };

  const enable = async (row: Row, enabled: boolean) => {
    await call(enableArticle, { params: { id: row.id }, body: { enabled } });
    message.success(phrase(enabled ? 'content.articlePublished' : 'content.articleTakenBack', { name: row.title }));
    await refresh(listArticles);
  };

  const remove = (row: Row) =>
    void confirm({
      question: phrase('content.deleteArticleQuestion', { name: row.title }),
      details:
        row.key === null
          ? phrase('content.deleteArticleDetails')
          : phrase('content.deleteArticleKey', { key: row.key }),
      verb: phrase('content.delete'),
      danger: true,
      act: async () => {
        await call(deleteArticle, { params: { id: row.id } });
        message.success(phrase('content.deleted', { name: row.title }));
        await refresh(listArticles);
      },
    });

  const actsOf = (row: Row): RowAction[] => [
    ...(can('article.edit')
      ? [{ key: 'edit', label: phrase('content.edit'), onClick: () => void openOne('edit', row) }]
      : []),
    { key: 'preview', label: phrase('content.preview'), onClick: () => void openOne('preview', row) },
    ...(can('article.edit')
      ? [{ key: 'delete', label: phrase('content.delete'), onClick: () => remove(row), danger: true }]
      : []),
  ];

  const add = can('article.edit') ? (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => show({ kind: 'add' })}>
      {phrase('content.addArticle')}
    </Button>
  ) : null;

  return (
    <>
      <ListPage
        name="articles"
        title={phrase('content.articlesTitle')}
        route={listArticles}
        rowKey={(article) => article.id}
        rowName={(article) => `${phrase('content.article')} ${article.title}`}
        filters={articleFilters()}
        columns={articleColumns({ preview: (row) => void openOne('preview', row), enable })}
        toolbar={add}
        rowActions={actsOf}
        empty={{ title: phrase('content.noArticles'), text: phrase('content.noArticlesText'), action: add }}
      />
      <Suspense>
        {overlay?.kind === 'add' || overlay?.kind === 'edit' ? (
          <ArticleFormDrawer
            key={overlay.kind === 'add' ? 'add' : `${overlay.article.id} ${overlay.article.changedAt}`}
            article={overlay.kind === 'add' ? null : overlay.article}
            open={isOpen}
            onClose={close}
            onSaved={(article) => message.success(phrase('content.saved', { name: article.title }))}
          />
        ) : null}
        {overlay?.kind === 'preview' ? (
          <ArticlePreview article={overlay.article} open={isOpen} onClose={close} />
        ) : null}
      </Suspense>
    </>
  );
}

import { type Article, deleteArticle, enableArticle, getArticle, listArticles } from '@voltdeck/contract/articles';
import type { ReactNode } from 'react';
import { call } from '../api/call.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { AskedFirst } from '../ui/AskedFirst.tsx';
import { ListPage } from '../ui/ListPage.tsx';
import type { RowOf } from '../ui/list/list-view.ts';
import { deletion, formIn } from '../ui/list/usual-acts.ts';
import type { Acts, ListPageProps, OverlayProps } from '../ui/list-page.ts';
import { EnabledSwitch } from './EnabledSwitch.tsx';

/** Lazy: most visits to a list never open it. */
const ArticleFormDrawer = lazyPart(() => import('./ArticleFormDrawer.tsx'));
const ArticlePreview = lazyPart(() => import('./ArticlePreview.tsx'));

type Row = RowOf<typeof listArticles>;
type Overlay = OverlayProps<Row>;

const publishedWords = {
  label: 'content.publish',
  states: ['content.published', 'content.unpublished'],
  outcomes: ['content.articlePublished', 'content.articleTakenBack'],
} as const;

const publish = ({ id }: Row, enabled: boolean) => call(enableArticle, { params: { id }, body: { enabled } });

function Published({ article }: { article: Row }) {
  const act = { change: (enabled: boolean) => publish(article, enabled), changes: [listArticles] };
  return <EnabledSwitch of={article} words={publishedWords} may="article.edit" {...act} />;
}

const look: ListPageProps<typeof listArticles>['look'] = {
  title: { widthPx: 260, isPinned: true, opens: 'preview' },
  key: { widthPx: 152 },
  enabled: { render: (article) => <Published article={article} /> },
  remark: { widthPx: 200 },
};

const savedText = ({ title: name }: Article) => phrase('content.saved', { name });

function formOf(article: Article | null, over: Overlay) {
  return <ArticleFormDrawer article={article} {...formIn(over, savedText)} />;
}

/** The list has no contents, so the article is fetched first. */
function withContent({ id }: Row, { open, close }: Overlay, drawn: (article: Article) => ReactNode) {
  return (
    <AskedFirst route={getArticle} input={{ params: { id } }} open={open} close={close}>
      {drawn}
    </AskedFirst>
  );
}

const acts: Acts<Row> = {
  add: { on: 'list', label: 'content.addArticle', may: 'article.edit', overlay: (over) => formOf(null, over) },
  edit: {
    on: 'row',
    label: 'content.edit',
    may: 'article.edit',
    overlay: (row, over) => withContent(row, over, (article) => formOf(article, over)),
  },
  preview: {
    on: 'row',
    label: 'content.preview',
    overlay: (row, over) =>
      withContent(row, over, (article) => <ArticlePreview article={article} open={over.open} onClose={over.close} />),
  },
  delete: deletion({
    label: 'content.delete',
    may: 'article.edit',
    question: ({ title: name }) => phrase('content.deleteArticleQuestion', { name }),
    details: ({ key }) =>
      key === null ? phrase('content.deleteArticleDetails') : phrase('content.deleteArticleKey', { key }),
    act: ({ id }, idempotencyKey) => call(deleteArticle, { params: { id }, idempotencyKey }),
    told: ({ title: name }) => phrase('content.deleted', { name }),
  }),
};

/** What the apps tell their users: guides, about us; /newsList. */
export default function ArticleListPage() {
  return (
    <ListPage
      list={listArticles}
      title="content.articlesTitle"
      record="content.article"
      filters={{ title: {}, category: {}, enabled: {}, key: {} }}
      look={look}
      acts={acts}
      one={getArticle}
      empty={{ title: 'content.noArticles', text: 'content.noArticlesText' }}
    />
  );
}

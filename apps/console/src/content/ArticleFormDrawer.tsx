import { type Article, changeArticle, createArticle, getArticle, listArticles } from '@voltdeck/contract/articles';
import { Alert, Button, Form } from 'antd';
import { Suspense, useState } from 'react';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

const ArticlePreview = lazyPart(() => import('./ArticlePreview.tsx'));

const widthPx = 960;

type Props = { article: Article | null; open: boolean; onClose: () => void; onSaved: (article: Article) => void };

/** Adds or changes an article. */
export default function ArticleFormDrawer({ article, open, onClose, onSaved }: Props) {
  const [form] = Form.useForm();
  const [preview, setPreview] = useState<{ title: string; content: string } | null>(null);
  const [isPreviewOpen, setPreviewOpen] = useState(false);
  const showPreview = () => {
    const { title = '', content = '' } = form.getFieldsValue();
    setPreview({ title, content });
    setPreviewOpen(true);
  };
  return (
    <RouteForm
      route={createArticle}
      change={changeArticle}
      record={article}
      title={article === null ? phrase('content.addArticle') : phrase('content.editArticle', { name: article.title })}
      submitLabel={phrase(article === null ? 'content.addArticle' : 'content.save')}
      draft={`article ${article?.id ?? 'add'}`}
      initial={{ category: 'guide', sort: 0, enabled: false, content: '' }}
      fields={{
        title: { label: 'content.articleTitle' },
        category: {
          label: 'content.category',
          word: (category) => phrase(`article-category.${category}`),
          isShort: true,
        },
        sort: { label: 'content.sort', hint: 'content.sortHint', isShort: true },
        key: { label: 'content.articleKey', hint: 'content.articleKeyHint', kind: 'code' },
        content: {
          label: 'content.body',
          kind: 'rich-text',
          below: () => <Button onClick={showPreview}>{phrase('content.preview')}</Button>,
        },
        remark: { label: 'content.remark', kind: 'text' },
        enabled: { label: 'content.publishAtOnce' },
      }}
      fieldOf={{ 'article.key_taken': 'key' }}
      refreshes={[listArticles, getArticle]}
      form={form}
      widthPx={widthPx}
      intro={
        article !== null && hasTables(article.content) ? (
          <Alert type="warning" showIcon title={phrase('content.partsLost')} style={{ marginBottom: 16 }} />
        ) : null
      }
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    >
      <Suspense>
        {preview === null ? null : (
          <ArticlePreview article={preview} open={isPreviewOpen} onClose={() => setPreviewOpen(false)} />
        )}
      </Suspense>
    </RouteForm>
  );
}

/** Whether saving would lose content that the editor does not support. */
function hasTables(html: string): boolean {
  return /<table[\s>]/i.test(html);
}

import {
  type Article,
  articleCategories,
  articleContentMax,
  changeArticle,
  createArticle,
  getArticle,
  listArticles,
} from '@voltdeck/contract/content';
import { Alert, Button, Form, Input, InputNumber, Radio, Switch } from 'antd';
import { lazy, Suspense, useRef, useState } from 'react';
import { call } from '../api/call.ts';
import { useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { FormDrawer } from '../ui/FormDrawer.tsx';
import { RichTextEditor } from '../ui/RichTextEditor.tsx';
import { type ArticleValues, bodyOf, hasTables, newArticle, valuesOf } from './article-form-body.ts';
import styles from './content.module.css';
import { sortMax } from './form-rules.ts';

const ArticlePreview = lazy(() => import('./ArticlePreview.tsx'));

const widthPx = 960;
const titleMax = 100;
const keyMax = 64;
const remarkMax = 200;

type Props = { article: Article | null; open: boolean; onClose: () => void; onSaved: (article: Article) => void };

/** Write an article, or change `article`. */
export default function ArticleFormDrawer({ article, open, onClose, onSaved }: Props) {
  const [form] = Form.useForm<ArticleValues>();
  const refresh = useRefresh();
  const isUploading = useRef(false);
  const [preview, setPreview] = useState<{ title: string; content: string } | null>(null);
  const [isPreviewOpen, setPreviewOpen] = useState(false);
  const required = { required: true, message: phrase('field.required') };

  const showPreview = () => {
    const { title, content } = form.getFieldsValue();
    setPreview({ title: title ?? '', content: content ?? '' });
    setPreviewOpen(true);
  };

  return (
    <FormDrawer<ArticleValues, Article>
      title={article === null ? phrase('content.addArticle') : phrase('content.editArticle', { name: article.title })}
      open={open}
      onClose={onClose}
      form={form}
      widthPx={widthPx}
      draftKey={`article ${article?.id ?? 'add'}`}
      initial={article === null ? newArticle : valuesOf(article)}
      submitLabel={phrase(article === null ? 'content.addArticle' : 'content.save')}
      submit={(values, idempotencyKey) =>
        article === null
          ? call(createArticle, { body: bodyOf(values), idempotencyKey, quiet: true })
          : call(changeArticle, { params: { id: article.id }, body: bodyOf(values), quiet: true })
      }
      fieldOf={{ 'article.key_taken': 'key' }}
      onDone={(saved) => {
        void refresh(listArticles, getArticle);
        onSaved(saved);
      }}
    >
      <Form.Item name="title" label={phrase('content.articleTitle')} rules={[{ ...required, whitespace: true }]}>
        <Input maxLength={titleMax} showCount />
      </Form.Item>
      <div className={styles.formRow}>
        <Form.Item name="category" label={phrase('content.category')} rules={[required]}>
          <Radio.Group
            optionType="button"
            options={articleCategories.map((value) => ({ value, label: phrase(`article-category.${value}`) }))}
          />
        </Form.Item>
        <Form.Item name="sort" label={phrase('content.sort')} extra={phrase('content.sortHint')}>
          <InputNumber min={0} max={sortMax} precision={0} style={{ width: '100%' }} />
        </Form.Item>
      </div>
      <Form.Item
        name="key"
        label={phrase('content.articleKey')}
        extra={phrase('content.articleKeyHint')}
        rules={[{ pattern: /^\s*([a-z][a-z0-9-]{0,63})?\s*$/, message: phrase('content.articleKeyFormat') }]}
      >
        <Input maxLength={keyMax} className={styles.mono} />
      </Form.Item>
      {article !== null && hasTables(article.content) ? (
        <Alert type="warning" showIcon title={phrase('content.partsLost')} style={{ marginBottom: 16 }} />
      ) : null}
      <Form.Item
        name="content"
        label={phrase('content.body')}
        rules={[
          required,
          { max: articleContentMax, message: phrase('field.too_long', { max: articleContentMax }) },
          {
            validator: () =>
              isUploading.current ? Promise.reject(new Error(phrase('content.uploadRunning'))) : Promise.resolve(),
          },
        ]}
      >
        <RichTextEditor
          label={phrase('content.editor')}
          onBusy={(isBusy) => {
            isUploading.current = isBusy;
          }}
        />
      </Form.Item>
      <Form.Item>
        <Button onClick={showPreview}>{phrase('content.preview')}</Button>
      </Form.Item>
      <Form.Item name="remark" label={phrase('content.remark')}>
        <Input maxLength={remarkMax} showCount />
      </Form.Item>
      <Form.Item name="enabled" label={phrase('content.publishAtOnce')} valuePropName="checked" required>
        <Switch />
      </Form.Item>
      <Suspense>
        {preview === null ? null : (
          <ArticlePreview article={preview} open={isPreviewOpen} onClose={() => setPreviewOpen(false)} />
        )}
      </Suspense>
    </FormDrawer>
  );
}

import * as z from 'zod/mini';
import { filter, idField, idParameter, instantField, nothing, textField } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

export const articleCategories = ['guide', 'about', 'other'] as const;
export type ArticleCategory = (typeof articleCategories)[number];
/** Characters of an article, markup included. */
export const articleContentMax = 200_000;

export const article = z.object({
  id: idField<'article'>(),
  title: z.string(),
  /** The key that an app fetches it by; null for articles that are only listed. */
  key: z.nullable(z.string()),
  category: z.enum(articleCategories),
  sort: z.int(),
  remark: z.string(),
  enabled: z.boolean(),
  createdAt: instantField,
  changedAt: instantField,
});
export const articleWithContent = z.extend(article, { content: z.string() });
export type Article = z.output<typeof articleWithContent>;

const articleForm = z.object({
  title: textField(100),
  key: z.optional(z.nullable(z.string().check(z.trim(), z.regex(/^[a-z][a-z0-9-]{0,63}$/, 'article_key_format')))),
  category: z.enum(articleCategories),
  sort: z.optional(z.int().check(z.gte(0), z.lte(1_000_000))),
  remark: z.optional(z.string().check(z.trim(), z.maxLength(200))),
  enabled: z.optional(z.boolean()),
  /** HTML; the server strips what is not allowed in an article. */
  content: z.string().check(z.minLength(1), z.maxLength(articleContentMax)),
});

export const listArticles = listRoute({
  name: 'listArticles',
  path: '/articles',
  summary: 'Articles, without their contents',
  permission: 'article.read',
  sorts: ['createdAt', 'sort', 'changedAt'],
  first: '-createdAt',
  filters: {
    title: filter.text(),
    key: filter.text(),
    category: filter.choice(articleCategories),
    enabled: filter.flag(),
  },
  item: article,
  columns: columnsOf<z.output<typeof article>>()({
    title: { kind: 'text', title: 'content.articleTitle' },
    category: { kind: 'choice', title: 'content.category', words: 'article-category' },
    key: { kind: 'number', title: 'content.articleKey' },
    enabled: { kind: 'flag', title: 'content.state', words: ['content.published', 'content.unpublished'] },
    sort: { kind: 'count', title: 'content.sort', hint: 'content.sortHint' },
    remark: { kind: 'text', title: 'content.remark' },
    changedAt: { kind: 'instant', title: 'content.changedAt' },
    createdAt: { kind: 'instant', title: 'content.createdAt' },
  }),
});

export const getArticle = route({
  method: 'GET',
  path: '/articles/{id}',
  summary: 'One article with its content',
  permission: 'article.read',
  params: z.object({ id: idParameter<'article'>() }),
  answer: articleWithContent,
  errors: [],
});

export const createArticle = route({
  method: 'POST',
  path: '/articles',
  summary: 'Add an article',
  permission: 'article.edit',
  body: articleForm,
  answer: articleWithContent,
  errors: ['article.key_taken'],
});

export const changeArticle = route({
  method: 'PUT',
  path: '/articles/{id}',
  summary: 'Change an article',
  permission: 'article.edit',
  params: z.object({ id: idParameter<'article'>() }),
  body: articleForm,
  answer: articleWithContent,
  errors: ['article.key_taken'],
});

export const enableArticle = route({
  method: 'PUT',
  path: '/articles/{id}/enabled',
  summary: 'Publish an article or take it back',
  permission: 'article.edit',
  params: z.object({ id: idParameter<'article'>() }),
  body: z.object({ enabled: z.boolean() }),
  answer: articleWithContent,
  errors: [],
});

export const deleteArticle = route({
  method: 'DELETE',
  path: '/articles/{id}',
  summary: 'Delete an article',
  permission: 'article.edit',
  params: z.object({ id: idParameter<'article'>() }),
  answer: nothing,
  errors: [],
});

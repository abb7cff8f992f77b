import * as z from 'zod/mini';
import {
  filter,
  idField,
  idParameter,
  instantField,
  linesField,
  linkField,
  nothing,
  phoneField,
  shown,
  textField,
} from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

/** A file's purpose decides its allowed types and size. */
export const filePurposes = ['editor', 'advert', 'site', 'avatar', 'feedback', 'document'] as const;
export type FilePurpose = (typeof filePurposes)[number];

const pictures = ['image/jpeg', 'image/png'] as const;
const morePictures = [...pictures, 'image/webp'] as const;
const megabyte = 1024 * 1024;

/**
 * Types by content, maximum size, and whether anyone with the address may see the file. Specification sections 5 and 9:
 * site pictures jpg or png up to 500 kB, editor pictures under 5 MB. Every picture is re-encoded from its pixels, a
 * portrait as a small square. gif is not allowed, since only its first frame would survive.
 */
export const fileRules = {
  editor: { types: morePictures, bytesMax: 5 * megabyte, public: true },
  advert: { types: morePictures, bytesMax: 5 * megabyte, public: true },
  site: { types: pictures, bytesMax: 500 * 1024, public: true },
  avatar: { types: pictures, bytesMax: 5 * megabyte, public: true },
  feedback: { types: pictures, bytesMax: 5 * megabyte, public: false },
  document: { types: null, bytesMax: 50 * megabyte, public: false },
} as const satisfies Record<FilePurpose, { types: readonly string[] | null; bytesMax: number; public: boolean }>;

export const file = z.object({
  id: idField<'file'>(),
  key: z.string(),
  name: z.string(),
  description: z.string(),
  contentType: z.string(),
  sizeBytes: z.int(),
  purpose: z.enum(filePurposes),
  /** Its address: "/files/<key>/<name>", or a download at "/api/files/<id>/content" for a private file. */
  url: z.string(),
  widthPx: z.nullable(z.int()),
  heightPx: z.nullable(z.int()),
  userName: z.nullable(z.string()),
  createdAt: instantField,
});
export type StoredFile = z.output<typeof file>;

export const listFiles = listRoute({
  name: 'listFiles',
  path: '/files',
  summary: 'Uploaded files',
  permission: 'file.read',
  sorts: ['createdAt', 'name'],
  first: '-createdAt',
  filters: { name: filter.text(), purpose: filter.choice(filePurposes) },
  item: file,
  columns: columnsOf<StoredFile>()({
    name: { kind: 'text', title: 'content.fileName' },
    description: { kind: 'text', title: 'content.fileDescription' },
    purpose: { kind: 'choice', title: 'content.filePurpose', words: 'file-purpose' },
    contentType: { kind: 'text', title: 'content.fileType' },
    sizeBytes: { kind: 'bytes', title: 'content.fileSize' },
    createdAt: { kind: 'instant', title: 'content.uploadedAt' },
    userName: { kind: 'text', title: 'content.uploadedBy' },
    widthPx: {
      kind: 'text',
      title: 'content.fileDimensions',
      of: ({ widthPx, heightPx }) => (widthPx === null || heightPx === null ? null : `${widthPx} × ${heightPx}`),
    },
    url: { kind: 'text', title: 'content.filePath' },
  }),
});

/**
 * Specification section 7: an image upload with the form field `file` and the token header; code 0 and data.url. The
 * query gives the purpose. `document` needs file.edit, `editor` article.edit, `advert` advert.edit, `site` site.edit,
 * `feedback` feedback.create, `avatar` only a session.
 */
export const uploadFile = route({
  method: 'POST',
  path: '/files',
  summary: 'Upload one file (multipart/form-data, field "file", optionally "description")',
  permission: 'signed-in',
  bodyKind: 'multipart',
  query: z.object({ purpose: z.enum(filePurposes) }),
  answer: file,
  errors: ['file.too_large', 'file.wrong_type', 'file.unreadable', 'file.too_many_pixels'],
});

export const changeFile = route({
  method: 'PUT',
  path: '/files/{id}',
  summary: 'Rename or describe a file',
  permission: 'file.edit',
  params: z.object({ id: idParameter<'file'>() }),
  body: z.object({ name: textField(200), description: z.string().check(z.trim(), z.maxLength(500)) }),
  answer: file,
  errors: [],
});

export const deleteFile = route({
  method: 'DELETE',
  path: '/files/{id}',
  summary: 'Delete a file that is not in use',
  permission: 'file.edit',
  params: z.object({ id: idParameter<'file'>() }),
  answer: nothing,
  errors: ['file.in_use'],
});

export const downloadFile = route({
  method: 'GET',
  path: '/files/{id}/content',
  summary: 'Download a file, or with feedback.read alone a picture of a feedback',
  permission: ['file.read', 'feedback.read'],
  params: z.object({ id: idParameter<'file'>() }),
  answer: z.unknown(),
  answerKind: 'file',
  errors: [],
});

export const feedbackKinds = [
  'cannot_start',
  'connector_broken',
  'slow',
  'bay_occupied',
  'billing',
  'suggestion',
  'other',
] as const;
export type FeedbackKind = (typeof feedbackKinds)[number];
export const feedbackStates = ['waiting', 'handled', 'ignored'] as const;
export type FeedbackState = (typeof feedbackStates)[number];

export const feedback = z.object({
  id: idField<'feedback'>(),
  kind: z.enum(feedbackKinds),
  state: z.enum(feedbackStates),
  description: z.string(),
  phone: shown.phone(),
  customerId: z.nullable(idField<'customer'>()),
  nickname: z.nullable(z.string()),
  agentId: z.nullable(idField<'agent'>()),
  agentName: z.nullable(z.string()),
  stationId: z.nullable(idField<'station'>()),
  stationNumber: z.string(),
  pictureUrls: z.array(z.string()),
  annotation: z.string(),
  reply: z.string(),
  handledByName: z.nullable(z.string()),
  handledAt: z.nullable(instantField),
  createdAt: instantField,
});
export type Feedback = z.output<typeof feedback>;

export const listFeedbacks = listRoute({
  name: 'listFeedbacks',
  path: '/feedbacks',
  summary: 'Feedback from riders and drivers',
  permission: 'feedback.read',
  sorts: ['createdAt'],
  first: '-createdAt',
  filters: {
    kind: filter.choice(feedbackKinds),
    state: filter.choice(feedbackStates),
    from: filter.instant(),
    to: filter.instant(),
    phone: filter.phone(),
    stationNumber: filter.text(48),
    agentId: filter.id('agent'),
  },
  item: feedback,
  columns: columnsOf<Feedback>()({
    description: { kind: 'text', title: 'content.description' },
    id: { kind: 'number', title: 'content.feedbackId', of: ({ id }) => String(id) },
    kind: { kind: 'choice', title: 'content.feedbackKind', words: 'feedback-kind' },
    state: { kind: 'choice', title: 'content.feedbackState', words: 'feedback-state' },
    createdAt: { kind: 'instant', title: 'content.feedbackAt' },
    stationNumber: { kind: 'number', title: 'content.stationNumber' },
    nickname: { kind: 'text', title: 'content.customer' },
    phone: { kind: 'number', title: 'content.phone' },
    agentName: { kind: 'text', title: 'content.agent', absent: 'list.ofPlatform' },
    pictureUrls: { kind: 'count', title: 'content.pictures', of: ({ pictureUrls }) => pictureUrls.length },
    handledByName: { kind: 'text', title: 'content.handledBy' },
    handledAt: { kind: 'instant', title: 'content.handledAt' },
    annotation: { kind: 'text', title: 'content.annotation' },
    reply: { kind: 'text', title: 'content.reply' },
  }),
});

export const getFeedback = route({
  method: 'GET',
  path: '/feedbacks/{id}',
  summary: 'One feedback',
  permission: 'feedback.read',
  params: z.object({ id: idParameter<'feedback'>() }),
  answer: feedback,
  errors: [],
});

export const createFeedback = route({
  method: 'POST',
  path: '/feedbacks',
  summary: 'Record a feedback, as an app or the hotline does',
  permission: 'feedback.create',
  body: z.object({
    kind: z.enum(feedbackKinds),
    description: linesField(1_000),
    phone: z.optional(phoneField),
    stationNumber: z.optional(z.string().check(z.trim(), z.maxLength(48))),
    pictureKeys: z.optional(z.array(z.string().check(z.maxLength(64))).check(z.maxLength(9))),
  }),
  answer: feedback,
  errors: [],
});

/** All or nothing: if one of them has been handled in the meantime, none is changed. */
export const handleFeedbacks = route({
  method: 'POST',
  path: '/feedbacks/handlings',
  summary: 'Handle or ignore feedback, one or many',
  permission: 'feedback.handle',
  body: z.object({
    ids: z.array(idField<'feedback'>()).check(z.minLength(1), z.maxLength(100)),
    outcome: z.enum(['handled', 'ignored']),
    annotation: linesField(500),
    reply: z.optional(z.string().check(z.trim(), z.maxLength(256))),
  }),
  answer: z.object({ handled: z.int() }),
  errors: ['feedback.already_handled'],
});

export const advertPages = ['home', 'charging', 'account', 'splash'] as const;
export type AdvertPage = (typeof advertPages)[number];

export const advert = z.object({
  id: idField<'advert'>(),
  title: z.string(),
  pictureFileId: idField<'file'>(),
  pictureUrl: z.string(),
  page: z.enum(advertPages),
  link: z.string(),
  sort: z.int(),
  enabled: z.boolean(),
  createdAt: instantField,
});
export type Advert = z.output<typeof advert>;

const advertForm = z.object({
  title: textField(64),
  pictureFileId: idField<'file'>(),
  page: z.enum(advertPages),
  link: z.optional(z.union([z.literal(''), linkField])),
  sort: z.optional(z.int().check(z.gte(0), z.lte(1_000_000))),
  enabled: z.optional(z.boolean()),
});

export const listAdverts = listRoute({
  name: 'listAdverts',
  path: '/adverts',
  summary: 'Adverts',
  permission: 'advert.read',
  sorts: ['createdAt', 'sort'],
  first: 'sort',
  filters: {
    title: filter.text(),
    displayPage: filter.choice(advertPages),
    enabled: filter.flag(),
  },
  item: advert,
  columns: columnsOf<Advert>()({
    title: { kind: 'text', title: 'content.advertTitle' },
    pictureUrl: { kind: 'text', title: 'content.picture' },
    page: { kind: 'choice', title: 'content.displayPage', words: 'advert-page' },
    enabled: { kind: 'flag', title: 'content.state', words: ['content.shown', 'content.hidden'] },
    link: { kind: 'text', title: 'content.link' },
    sort: { kind: 'count', title: 'content.sort', hint: 'content.sortHint' },
    createdAt: { kind: 'instant', title: 'content.createdAt' },
  }),
});

export const createAdvert = route({
  method: 'POST',
  path: '/adverts',
  summary: 'Add an advert',
  permission: 'advert.edit',
  body: advertForm,
  answer: advert,
  errors: [],
});

export const changeAdvert = route({
  method: 'PUT',
  path: '/adverts/{id}',
  summary: 'Change an advert',
  permission: 'advert.edit',
  params: z.object({ id: idParameter<'advert'>() }),
  body: advertForm,
  answer: advert,
  errors: [],
});

export const enableAdvert = route({
  method: 'PUT',
  path: '/adverts/{id}/enabled',
  summary: 'Show or hide an advert',
  permission: 'advert.edit',
  params: z.object({ id: idParameter<'advert'>() }),
  body: z.object({ enabled: z.boolean() }),
  answer: advert,
  errors: [],
});

export const deleteAdvert = route({
  method: 'DELETE',
  path: '/adverts/{id}',
  summary: 'Delete an advert',
  permission: 'advert.edit',
  params: z.object({ id: idParameter<'advert'>() }),
  answer: nothing,
  errors: [],
});

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

import * as z from 'zod/mini';
import {
  filter,
  idField,
  idParameter,
  instantField,
  linkField,
  listAnswer,
  listFields,
  nothing,
  phoneField,
  textField,
} from './fields.ts';
import { route } from './route.ts';

/** What a file is for decides what it may be and how large. */
export const filePurposes = ['editor', 'advert', 'site', 'avatar', 'feedback', 'document'] as const;
export type FilePurpose = (typeof filePurposes)[number];

const pictures = ['image/jpeg', 'image/png'] as const;
const morePictures = [...pictures, 'image/webp'] as const;
const megabyte = 1024 * 1024;

/**
 * Types by content, largest size and whether anybody with the address may see it. Specification sections 5 and 9: site
 * pictures jpg or png up to 500 kB, pictures of the editor under 5 MB. Every picture is made anew from its pixels; gif is
 * not among them, since only its first picture would be left.
 */
export const fileRules = {
  editor: { types: morePictures, bytesMax: 5 * megabyte, public: true },
  advert: { types: morePictures, bytesMax: 5 * megabyte, public: true },
  site: { types: pictures, bytesMax: 500 * 1024, public: true },
  avatar: { types: pictures, bytesMax: 500 * 1024, public: true },
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
  /** Where it is served from: "/files/<key>/<name>", a private one as a download at "/api/files/<id>/content". */
  url: z.string(),
  widthPx: z.nullable(z.int()),
  heightPx: z.nullable(z.int()),
  userName: z.nullable(z.string()),
  createdAt: instantField,
});
export type StoredFile = z.output<typeof file>;

export const listFiles = route({
  method: 'GET',
  path: '/files',
  summary: 'Uploaded files',
  permission: 'file.read',
  query: z.object({ ...listFields(['createdAt', 'name']), name: filter.text(), purpose: filter.choice(filePurposes) }),
  answer: listAnswer(file),
  errors: ['list.too_deep'],
});

/**
 * Specification section 7: an image file upload with the form field `file` and the token header; code 0 and data.url.
 * The query says what it is for. `document` needs file.edit, `editor` article.edit, `advert` advert.edit, `site`
 * site.edit, `feedback` feedback.create, `avatar` nothing more than a session.
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
  summary: 'Delete a file that nothing shows',
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
  phone: z.string(),
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

export const listFeedbacks = route({
  method: 'GET',
  path: '/feedbacks',
  summary: 'Feedback from riders and drivers',
  permission: 'feedback.read',
  query: z.object({
    ...listFields(['createdAt']),
    kind: filter.choice(feedbackKinds),
    state: filter.choice(feedbackStates),
    phone: filter.text(20),
    stationNumber: filter.text(48),
    agentId: filter.id<'agent'>(),
    from: filter.instant(),
    to: filter.instant(),
  }),
  answer: listAnswer(feedback),
  errors: ['list.too_deep'],
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
    description: textField(1_000),
    phone: z.optional(phoneField),
    stationNumber: z.optional(z.string().check(z.trim(), z.maxLength(48))),
    pictureKeys: z.optional(z.array(z.string().check(z.maxLength(64))).check(z.maxLength(9))),
  }),
  answer: feedback,
  errors: [],
  idempotency: 'accepted',
});

/** All or nothing: one that was handled meanwhile refuses the whole, and none is changed. */
export const handleFeedbacks = route({
  method: 'POST',
  path: '/feedbacks/handlings',
  summary: 'Handle or ignore feedback, one or many',
  permission: 'feedback.handle',
  body: z.object({
    ids: z.array(idField<'feedback'>()).check(z.minLength(1), z.maxLength(100)),
    outcome: z.enum(['handled', 'ignored']),
    annotation: textField(500),
    reply: z.optional(z.string().check(z.trim(), z.maxLength(256))),
  }),
  answer: z.object({ handled: z.int() }),
  errors: ['feedback.already_handled'],
  idempotency: 'accepted',
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

export const listAdverts = route({
  method: 'GET',
  path: '/adverts',
  summary: 'Adverts',
  permission: 'advert.read',
  query: z.object({
    ...listFields(['createdAt', 'sort']),
    title: filter.text(),
    displayPage: filter.choice(advertPages),
    enabled: filter.flag(),
  }),
  answer: listAnswer(advert),
  errors: ['list.too_deep'],
});

export const createAdvert = route({
  method: 'POST',
  path: '/adverts',
  summary: 'Add an advert',
  permission: 'advert.edit',
  body: advertForm,
  answer: advert,
  errors: [],
  idempotency: 'accepted',
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
  /** Under which an app asks for it; null for those that are only listed. */
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
  key: z.optional(z.nullable(z.string().check(z.trim(), z.regex(/^[a-z][a-z0-9-]{0,63}$/, 'bad_format')))),
  category: z.enum(articleCategories),
  sort: z.optional(z.int().check(z.gte(0), z.lte(1_000_000))),
  remark: z.optional(z.string().check(z.trim(), z.maxLength(200))),
  enabled: z.optional(z.boolean()),
  /** HTML; what is not allowed in an article is taken out by the server. */
  content: z.string().check(z.minLength(1), z.maxLength(articleContentMax)),
});

export const listArticles = route({
  method: 'GET',
  path: '/articles',
  summary: 'Articles, without their contents',
  permission: 'article.read',
  query: z.object({
    ...listFields(['createdAt', 'sort', 'changedAt']),
    title: filter.text(),
    key: filter.text(),
    category: filter.choice(articleCategories),
    enabled: filter.flag(),
  }),
  answer: listAnswer(article),
  errors: ['list.too_deep'],
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
  idempotency: 'accepted',
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

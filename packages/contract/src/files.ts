import * as z from 'zod/mini';
import { filter, idField, idParameter, instantField, nothing, textField } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

/** A file's purpose decides its allowed types and size. */
export const filePurposes = [
  'editor',
  'advert',
  'site',
  'avatar',
  'feedback',
  'document',
  'licence',
  'grid_bill',
] as const;
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
  licence: { types: pictures, bytesMax: 5 * megabyte, public: false },
  grid_bill: { types: pictures, bytesMax: 5 * megabyte, public: false },
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
 * `feedback` feedback.create, `licence` agent.edit, `grid_bill` finance.grid_bill, `avatar` only a session.
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
  summary:
    'Download a file, or without file.read a picture of a feedback, of a grid bill or the licence of an agent that one may read',
  permission: ['file.read', 'feedback.read', 'agent.read', 'finance.read'],
  params: z.object({ id: idParameter<'file'>() }),
  answer: z.unknown(),
  answerKind: 'file',
  errors: [],
});

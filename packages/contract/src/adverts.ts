import * as z from 'zod/mini';
import { filter, idField, idParameter, instantField, linkField, nothing, textField } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

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

import type { Advert, AdvertPage } from '@voltdeck/contract/content';
import type { FormPicture } from '../ui/PictureField.tsx';

/** What the fields of the form hold; the names are the contract's, so that the server's errors find their field. */
export type AdvertValues = {
  title: string;
  pictureFileId?: readonly FormPicture[] | undefined;
  page: AdvertPage;
  link?: string | undefined;
  sort?: number | null | undefined;
  enabled?: boolean | undefined;
};

export const newAdvert: Partial<AdvertValues> = { page: 'home', sort: 0, enabled: true };

export function valuesOf(advert: Advert): AdvertValues {
  const { title, pictureFileId, pictureUrl, page, link, sort, enabled } = advert;
  return {
    title,
    pictureFileId: [{ id: pictureFileId, key: String(pictureFileId), url: pictureUrl, name: title }],
    page,
    link,
    sort,
    enabled,
  };
}

/** What saving sends. Call it with values that the form has checked. @throws Error without a picture. */
export function bodyOf(values: AdvertValues) {
  const picture = values.pictureFileId?.[0];
  if (picture === undefined) throw new Error('an advert without a picture passed the form');
  return {
    title: values.title.trim(),
    pictureFileId: picture.id,
    page: values.page,
    link: values.link?.trim() ?? '',
    sort: values.sort ?? 0,
    enabled: values.enabled ?? false,
  };
}

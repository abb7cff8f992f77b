import { pictureOfDataAddress } from './data-address.ts';

/** Pictures that one paste may bring along. */
export const pastedPicturesMax = 20;

export type PastedHtml = {
  html: string;
  /** What was embedded, to be uploaded instead. */
  pictures: readonly File[];
  /** Pictures of other servers or of the disk of whoever pasted: neither can be shown to readers. */
  foreignCount: number;
};

/** Takes every picture out of pasted HTML that is not one of ours. */
export function takePictures(html: string): PastedHtml {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const pictures: File[] = [];
  let foreignCount = 0;
  for (const image of page.querySelectorAll('img')) {
    const address = image.getAttribute('src') ?? '';
    if (isOwnPicture(address)) {
      image.setAttribute('src', new URL(address, location.href).pathname);
      continue;
    }
    const file = pictureOfDataAddress(address, `pasted-${pictures.length + 1}`);
    if (file !== null && pictures.length < pastedPicturesMax) pictures.push(file);
    else foreignCount += 1;
    image.remove();
  }
  return { html: page.body.innerHTML, pictures, foreignCount };
}

function isOwnPicture(address: string): boolean {
  if (!URL.canParse(address, location.href)) return false;
  const { origin, pathname } = new URL(address, location.href);
  return origin === location.origin && pathname.startsWith('/files/');
}

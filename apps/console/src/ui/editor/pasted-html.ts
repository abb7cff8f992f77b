import { pictureOfDataAddress } from './data-address.ts';

/** Maximum number of pictures in one paste. */
export const pastedPicturesMax = 20;

export type PastedHtml = {
  html: string;
  /** Embedded pictures, to be uploaded. */
  pictures: readonly File[];
  /** The number of pictures on other servers or on the user's disk, which readers could not load. */
  foreignCount: number;
};

/** Removes all pictures from pasted HTML except our own. */
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

import { type Advert, changeAdvert, createAdvert, listAdverts } from '@voltdeck/contract/adverts';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = { advert: Advert | null; open: boolean; onClose: () => void; onSaved: (advert: Advert) => void };

/** Adds or changes an advert. */
export default function AdvertFormDrawer({ advert, open, onClose, onSaved }: Props) {
  return (
    <RouteForm
      route={createAdvert}
      change={changeAdvert}
      record={advert}
      title={advert === null ? phrase('content.addAdvert') : phrase('content.editAdvert', { name: advert.title })}
      submitLabel={phrase(advert === null ? 'content.addAdvert' : 'content.save')}
      draft={`advert ${advert?.id ?? 'add'}`}
      initial={{ page: 'home', sort: 0, enabled: true }}
      fields={{
        title: { label: 'content.advertTitle' },
        pictureFileId: {
          label: 'content.picture',
          pictures: { purpose: 'advert' },
          from: ({ pictureFileId: id, pictureUrl: url, title }) => [{ id, key: String(id), url, name: title }],
        },
        page: { label: 'content.displayPage', word: (page) => phrase(`advert-page.${page}`) },
        link: { label: 'content.link', hint: 'content.linkHint' },
        sort: { label: 'content.sort', hint: 'content.sortHint' },
        enabled: { label: 'content.showAtOnce' },
      }}
      refreshes={[listAdverts]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}

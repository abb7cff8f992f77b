import type { StoryLink } from '@voltdeck/contract/stories';
import { opened, type Place, place } from '../session/place.ts';

/** The screen that a link of a story leads to. */
export function placeOf(link: StoryLink): Place {
  switch (link.to) {
    case 'order':
      return place('orderListDetailHistory', { id: link.id });
    case 'order-story':
      return place('orderStory', { id: link.id });
    case 'station':
      return place('deviceDetail', { id: link.id });
    case 'customer':
      return place('registerUserDetail', { id: link.id });
    case 'frame': {
      const { stationNumber, key, from, until: to } = link;
      return place('deviceLogOther', { stationNumber, from, to, frame: key });
    }
    case 'frames': {
      const { stationNumber, from, until: to } = link;
      return place('deviceLogOther', { stationNumber, from, to });
    }
    case 'approval':
      return place('approvalList', { number: link.number });
    case 'invoice':
      return opened('invoiceList', 'open', { of: link.id });
    case 'recharge':
      return place('recharge', { customerId: link.customerId });
  }
}

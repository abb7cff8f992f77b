import { type Advert, advertPages, changeAdvert, createAdvert, listAdverts } from '@voltdeck/contract/content';
import { Form, Input, InputNumber, Radio, Switch } from 'antd';
import { useRef } from 'react';
import { call } from '../api/call.ts';
import { useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { FormDrawer } from '../ui/FormDrawer.tsx';
import { PictureField } from '../ui/PictureField.tsx';
import { type AdvertValues, bodyOf, newAdvert, valuesOf } from './advert-form-body.ts';
import { linkRule, sortMax } from './form-rules.ts';

const titleMax = 64;

type Props = { advert: Advert | null; open: boolean; onClose: () => void; onSaved: (advert: Advert) => void };

/** Add an advert, or change `advert`. */
export default function AdvertFormDrawer({ advert, open, onClose, onSaved }: Props) {
  const refresh = useRefresh();
  const isUploading = useRef(false);
  const required = { required: true, message: phrase('field.required') };
  return (
    <FormDrawer<AdvertValues, Advert>
      title={advert === null ? phrase('content.addAdvert') : phrase('content.editAdvert', { name: advert.title })}
      open={open}
      onClose={onClose}
      draftKey={`advert ${advert?.id ?? 'add'}`}
      initial={advert === null ? newAdvert : valuesOf(advert)}
      submitLabel={phrase(advert === null ? 'content.addAdvert' : 'content.save')}
      submit={(values, idempotencyKey) =>
        advert === null
          ? call(createAdvert, { body: bodyOf(values), idempotencyKey, quiet: true })
          : call(changeAdvert, { params: { id: advert.id }, body: bodyOf(values), quiet: true })
      }
      onDone={(saved) => {
        void refresh(listAdverts);
        onSaved(saved);
      }}
    >
      <Form.Item name="title" label={phrase('content.advertTitle')} rules={[{ ...required, whitespace: true }]}>
        <Input maxLength={titleMax} showCount />
      </Form.Item>
      <Form.Item
        name="pictureFileId"
        label={phrase('content.picture')}
        rules={[
          { ...required, type: 'array', min: 1 },
          {
            validator: () =>
              isUploading.current ? Promise.reject(new Error(phrase('content.uploadRunning'))) : Promise.resolve(),
          },
        ]}
      >
        <PictureField
          purpose="advert"
          onBusy={(isBusy) => {
            isUploading.current = isBusy;
          }}
        />
      </Form.Item>
      <Form.Item name="page" label={phrase('content.displayPage')} rules={[required]}>
        <Radio.Group
          optionType="button"
          options={advertPages.map((value) => ({ value, label: phrase(`advert-page.${value}`) }))}
        />
      </Form.Item>
      <Form.Item name="link" label={phrase('content.link')} extra={phrase('content.linkHint')} rules={[linkRule()]}>
        <Input maxLength={500} inputMode="url" />
      </Form.Item>
      <Form.Item name="sort" label={phrase('content.sort')} extra={phrase('content.sortHint')}>
        <InputNumber min={0} max={sortMax} precision={0} style={{ width: '100%' }} />
      </Form.Item>
      <Form.Item name="enabled" label={phrase('content.showAtOnce')} valuePropName="checked" required>
        <Switch />
      </Form.Item>
    </FormDrawer>
  );
}

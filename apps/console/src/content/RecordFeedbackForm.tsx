import {
  createFeedback,
  type Feedback,
  type FeedbackKind,
  feedbackKinds,
  listFeedbacks,
} from '@voltdeck/contract/content';
import { Form, Input, Select } from 'antd';
import { useRef } from 'react';
import { call } from '../api/call.ts';
import { useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { FormDrawer } from '../ui/FormDrawer.tsx';
import { type FormPicture, PictureField } from '../ui/PictureField.tsx';

const descriptionMax = 1_000;
const stationNumberMax = 48;
const picturesMax = 9;

type Values = {
  kind: FeedbackKind;
  description: string;
  phone?: string | undefined;
  stationNumber?: string | undefined;
  pictureKeys?: readonly FormPicture[] | undefined;
};
type Props = { open: boolean; onClose: () => void; onRecorded: (feedback: Feedback) => void };

function bodyOf(values: Values) {
  const phone = values.phone?.trim() ?? '';
  const stationNumber = values.stationNumber?.trim() ?? '';
  return {
    kind: values.kind,
    description: values.description.trim(),
    ...(phone === '' ? {} : { phone }),
    ...(stationNumber === '' ? {} : { stationNumber }),
    pictureKeys: (values.pictureKeys ?? []).map(({ key }) => key),
  };
}

/** What somebody told the hotline, written down. */
export default function RecordFeedbackForm({ open, onClose, onRecorded }: Props) {
  const refresh = useRefresh();
  const isUploading = useRef(false);
  const required = { required: true, message: phrase('field.required') };
  return (
    <FormDrawer<Values, Feedback>
      title={phrase('content.recordFeedback')}
      open={open}
      onClose={onClose}
      draftKey="feedback add"
      initial={{ kind: 'cannot_start' }}
      submitLabel={phrase('content.recordFeedback')}
      submit={(values, idempotencyKey) => call(createFeedback, { body: bodyOf(values), idempotencyKey, quiet: true })}
      onDone={(feedback) => {
        void refresh(listFeedbacks);
        onRecorded(feedback);
      }}
    >
      <Form.Item name="kind" label={phrase('content.feedbackKind')} rules={[required]}>
        <Select options={feedbackKinds.map((value) => ({ value, label: phrase(`feedback-kind.${value}`) }))} />
      </Form.Item>
      <Form.Item name="description" label={phrase('content.description')} rules={[{ ...required, whitespace: true }]}>
        <Input.TextArea rows={4} maxLength={descriptionMax} showCount />
      </Form.Item>
      <Form.Item
        name="phone"
        label={phrase('content.phone')}
        rules={[
          { pattern: /^\s*\d*\s*$/, message: phrase('field.phone_digits') },
          { pattern: /^\s*(\d{11})?\s*$|\D/, message: phrase('field.phone_length') },
        ]}
      >
        <Input inputMode="tel" maxLength={20} />
      </Form.Item>
      <Form.Item name="stationNumber" label={phrase('content.stationNumber')}>
        <Input maxLength={stationNumberMax} />
      </Form.Item>
      <Form.Item
        name="pictureKeys"
        label={phrase('content.pictures')}
        rules={[
          {
            validator: () =>
              isUploading.current ? Promise.reject(new Error(phrase('content.uploadRunning'))) : Promise.resolve(),
          },
        ]}
      >
        <PictureField
          purpose="feedback"
          max={picturesMax}
          onBusy={(isBusy) => {
            isUploading.current = isBusy;
          }}
        />
      </Form.Item>
    </FormDrawer>
  );
}

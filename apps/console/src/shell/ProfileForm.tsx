import { changeAvatar } from '@voltdeck/contract/access';
import type { FileId } from '@voltdeck/units/id';
import { Form } from 'antd';
import { useRef } from 'react';
import { call } from '../api/call.ts';
import { phrase } from '../phrases.ts';
import { showAvatar, useSession } from '../session/session.ts';
import { FormDrawer } from '../ui/FormDrawer.tsx';
import type { FormPicture } from '../ui/form/field-kinds.ts';
import { PictureField } from '../ui/PictureField.tsx';
import styles from './shell.module.css';

type Values = { picture: readonly FormPicture[] };

/** The current portrait has an address and no id: it is kept while it is in the field. */
const keptKey = 'kept';

function pictureOf(avatar: string | null): readonly FormPicture[] {
  return avatar === null ? [] : [{ id: 0 as FileId, key: keptKey, url: avatar, name: phrase('shell.portrait') }];
}

/** The user's own details and portrait. */
export default function ProfileForm({ onClose }: { onClose: () => void }) {
  const { user } = useSession();
  const isUploading = useRef(false);
  return (
    <FormDrawer<Values, string | null>
      as="dialog"
      title={phrase('shell.profile')}
      open
      onClose={onClose}
      initial={{ picture: pictureOf(user.avatar) }}
      submitLabel={phrase('shell.saveProfile')}
      submit={async ({ picture: [picture] }, idempotencyKey) => {
        if (picture?.key === keptKey) return user.avatar;
        const fileId = picture === undefined ? null : picture.id;
        return (await call(changeAvatar, { body: { fileId }, idempotencyKey, quiet: true })).avatar;
      }}
      onDone={showAvatar}
    >
      <dl className={styles.profile}>
        <dt>{phrase('shell.realName')}</dt>
        <dd>{user.name}</dd>
        <dt>{phrase('shell.userName')}</dt>
        <dd>{user.userName}</dd>
      </dl>
      <Form.Item
        name="picture"
        label={phrase('shell.portrait')}
        extra={phrase('shell.portraitHelp')}
        rules={[
          {
            // Validate only on submit: a file that has just arrived would still count as uploading.
            validateTrigger: 'onSubmit',
            validator: async () => {
              if (isUploading.current) throw new Error(phrase('shell.uploadRunning'));
            },
          },
        ]}
      >
        <PictureField
          purpose="avatar"
          onBusy={(isBusy) => {
            isUploading.current = isBusy;
          }}
        />
      </Form.Item>
    </FormDrawer>
  );
}

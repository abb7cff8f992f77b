import type { Editor } from '@tiptap/react';
import { Form, Input, Modal } from 'antd';
import { useId } from 'react';
import { phrase } from '../../phrases.ts';

const descriptionMax = 200;

type Values = { alt?: string | undefined };

/** Asks for a description of the selected picture. */
export function DescriptionDialog({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const formId = useId();
  return (
    <Modal
      title={phrase('content.describePicture')}
      open
      onCancel={onClose}
      destroyOnHidden
      okText={phrase('shell.confirm')}
      cancelText={phrase('shell.cancel')}
      okButtonProps={{ htmlType: 'submit', form: formId }}
    >
      <Form<Values>
        id={formId}
        layout="vertical"
        disabled={false}
        initialValues={{ alt: editor.getAttributes('image').alt ?? '' }}
        onFinish={({ alt }) => {
          editor
            .chain()
            .focus()
            .updateAttributes('image', { alt: alt?.trim() ?? '' })
            .run();
          onClose();
        }}
      >
        <Form.Item name="alt" label={phrase('content.describePicture')} extra={phrase('content.describePictureHint')}>
          <Input maxLength={descriptionMax} autoFocus />
        </Form.Item>
      </Form>
    </Modal>
  );
}

import type { Editor } from '@tiptap/react';
import { Button, Form, Input, Modal } from 'antd';
import { useId } from 'react';
import { phrase } from '../../phrases.ts';
import { isLink } from '../link-address.ts';

const addressMax = 500;
const textMax = 200;

type Values = { address: string; text?: string | undefined };

/** Asks for the address of a link on the selected text, or for its text as well. */
export function LinkDialog({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const formId = useId();
  const known = editor.getAttributes('link').href as string | undefined;
  const needsText = known === undefined && editor.state.selection.empty;

  const set = ({ address, text }: Values) => {
    const href = address.trim();
    const chain = editor.chain().focus();
    if (needsText) {
      const shown = text?.trim() || href;
      chain.insertContent({ type: 'text', text: shown, marks: [{ type: 'link', attrs: { href } }] }).run();
    } else {
      chain.extendMarkRange('link').setLink({ href }).run();
    }
    onClose();
  };
  const remove = () => {
    editor.chain().focus().extendMarkRange('link').unsetLink().run();
    onClose();
  };

  return (
    <Modal
      title={phrase('content.insertLink')}
      open
      onCancel={onClose}
      destroyOnHidden
      footer={
        <>
          {known === undefined ? null : (
            <Button danger onClick={remove}>
              {phrase('content.removeLink')}
            </Button>
          )}
          <Button onClick={onClose}>{phrase('shell.cancel')}</Button>
          <Button type="primary" htmlType="submit" form={formId}>
            {phrase('content.setLink')}
          </Button>
        </>
      }
    >
      <Form<Values>
        id={formId}
        layout="vertical"
        disabled={false}
        requiredMark="optional"
        initialValues={{ address: known ?? '' }}
        onFinish={set}
      >
        <Form.Item
          name="address"
          label={phrase('content.linkAddress')}
          rules={[
            { required: true, message: phrase('field.required') },
            {
              validator: (_, text: string | undefined) =>
                !text || isLink(text) ? Promise.resolve() : Promise.reject(new Error(phrase('field.link_format'))),
            },
          ]}
        >
          <Input maxLength={addressMax} inputMode="url" autoFocus />
        </Form.Item>
        {needsText ? (
          <Form.Item name="text" label={phrase('content.linkText')}>
            <Input maxLength={textMax} />
          </Form.Item>
        ) : null}
      </Form>
    </Modal>
  );
}

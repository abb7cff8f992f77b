import { type Feedback, getFeedback, handleFeedbacks, listFeedbacks } from '@voltdeck/contract/content';
import { Form, Input, Radio } from 'antd';
import { call } from '../api/call.ts';
import { useRefresh } from '../api/queries.ts';
import { Refused } from '../api/refused.ts';
import { phrase } from '../phrases.ts';
import { FormDrawer } from '../ui/FormDrawer.tsx';
import styles from './content.module.css';

const annotationMax = 500;
const replyMax = 256;

type Outcome = 'handled' | 'ignored';
type Values = { outcome: Outcome; annotation: string; reply?: string | undefined };
type Props = {
  feedbacks: readonly Pick<Feedback, 'id'>[];
  open: boolean;
  onClose: () => void;
  onHandled: (outcome: Outcome, count: number) => void;
};

/** Handles or ignores one feedback or many, with what was done about it and what the user is told. */
export default function HandleFeedbackForm({ feedbacks, open, onClose, onHandled }: Props) {
  const [form] = Form.useForm<Values>();
  const refresh = useRefresh();
  const outcome = Form.useWatch('outcome', form) ?? 'handled';
  const count = feedbacks.length;
  const verb =
    count === 1
      ? phrase(outcome === 'handled' ? 'content.handleVerb' : 'content.ignoreVerb')
      : phrase(outcome === 'handled' ? 'content.handleManyVerb' : 'content.ignoreManyVerb', { count });

  const submit = async (values: Values, idempotencyKey: string) => {
    try {
      return await call(handleFeedbacks, {
        body: {
          ids: feedbacks.map(({ id }) => id),
          outcome: values.outcome,
          annotation: values.annotation.trim(),
          ...(values.reply?.trim() ? { reply: values.reply.trim() } : {}),
        },
        idempotencyKey,
        quiet: true,
      });
    } catch (failure) {
      // Somebody else was faster: the list behind the form tells which.
      if (failure instanceof Refused && failure.code === 'feedback.already_handled') {
        void refresh(listFeedbacks, getFeedback);
      }
      throw failure;
    }
  };

  return (
    <FormDrawer<Values, { handled: number }>
      as="dialog"
      title={
        count === 1
          ? phrase('content.handleTitle', { id: feedbacks[0]?.id ?? '' })
          : phrase('content.handleManyTitle', { count })
      }
      open={open}
      onClose={onClose}
      draftKey={`feedback handling ${feedbacks.map(({ id }) => id).join(' ')}`}
      form={form}
      initial={{ outcome: 'handled' }}
      submitLabel={verb}
      submit={submit}
      onDone={({ handled }) => {
        onHandled(form.getFieldValue('outcome') ?? outcome, handled);
        void refresh(listFeedbacks, getFeedback);
      }}
    >
      <Form.Item name="outcome" label={phrase('content.outcome')} required>
        <Radio.Group
          optionType="button"
          options={(['handled', 'ignored'] as const).map((value) => ({
            value,
            label: phrase(`feedback-state.${value}`),
          }))}
        />
      </Form.Item>
      <Form.Item
        name="annotation"
        label={
          <>
            {phrase('content.annotation')}
            <span className={styles.labelHint}>{phrase('content.annotationHint')}</span>
          </>
        }
        rules={[{ required: true, whitespace: true, message: phrase('field.required') }]}
      >
        <Input.TextArea rows={3} maxLength={annotationMax} showCount />
      </Form.Item>
      <Form.Item
        name="reply"
        label={
          <>
            {phrase('content.reply')}
            <span className={styles.labelHint}>{phrase('content.replyHint')}</span>
          </>
        }
      >
        <Input.TextArea rows={3} maxLength={replyMax} showCount />
      </Form.Item>
    </FormDrawer>
  );
}

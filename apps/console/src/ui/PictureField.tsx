import { ArrowLeftOutlined, ArrowRightOutlined, DeleteOutlined, PictureOutlined } from '@ant-design/icons';
import { type FilePurpose, fileRules } from '@voltdeck/contract/files';
import { App, Button, ConfigProvider, Select } from 'antd';
import { Suspense, useEffect, useId, useRef, useState } from 'react';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import type { FormPicture } from './form/field-kinds.ts';
import type { PictureSlotOption } from './form/form-fields.ts';
import { FileDrop } from './upload/FileDrop.tsx';
import { acceptOf, megabytesText, typesText } from './upload/file-rules.ts';
import { moved } from './upload/picture-order.ts';
import { UploadBar } from './upload/UploadBar.tsx';
import styles from './upload/upload.module.css';
import { useUploads } from './upload/use-uploads.ts';
import { usePictureSource } from './use-picture-source.ts';

const PictureViewer = lazyPart(() => import('./PictureViewer.tsx'));

export type PictureFieldProps = {
  /** Set by the form. */
  id?: string;
  value?: readonly FormPicture[] | undefined;
  onChange?: (pictures: readonly FormPicture[]) => void;
  purpose: FilePurpose;
  max?: number;
  /** What each picture may show; a new one gets the first that is still free. */
  slots?: readonly PictureSlotOption[];
  /** Tells the form to wait for running uploads. */
  onBusy?: (isBusy: boolean) => void;
};

/** A private picture of a stored record is fetched first, since an <img> sends no token. */
function Preview({ address, alt }: { address: string; alt: string }) {
  const source = usePictureSource(address);
  return source.kind === 'ready' ? <img src={source.src} alt={alt} draggable={false} /> : <span>{alt}</span>;
}

const toastSeconds = 5;

/** Picture upload for a form: pictures upload at once and can be viewed, sorted and removed; one or many. */
export function PictureField({ id, value = [], onChange, purpose, max = 1, slots, onBusy }: PictureFieldProps) {
  const { message } = App.useApp();
  const { componentDisabled = false } = ConfigProvider.useConfig();
  const [dragged, setDragged] = useState<number | null>(null);
  const [target, setTarget] = useState<number | null>(null);
  /** Local previews of what was uploaded here: private pictures have no address that an <img> could load. */
  const [own, setOwn] = useState<Readonly<Record<string, string>>>({});
  /** The index of the picture that is viewed large; null for none. */
  const [viewed, setViewed] = useState<number | null>(null);
  const ruleId = useId();
  const now = useRef(value);
  useEffect(() => {
    now.current = value;
  }, [value]);

  const set = (pictures: readonly FormPicture[]) => {
    now.current = pictures;
    onChange?.(pictures);
  };
  const uploads = useUploads({
    purpose,
    onUploaded: ({ id: fileId, key, url, name }, source) => {
      setOwn((known) => ({ ...known, [key]: URL.createObjectURL(source) }));
      const kept = max === 1 ? [] : now.current;
      set([...kept, { id: fileId, key, url, name, ...freeSlot(slots, kept) }].slice(0, max));
    },
  });
  const { isBusy } = uploads;
  const tellBusy = useRef(onBusy);
  useEffect(() => {
    tellBusy.current = onBusy;
  }, [onBusy]);
  useEffect(() => tellBusy.current?.(isBusy), [isBusy]);

  const add = (files: readonly File[]) => {
    // A refused picture keeps its reason in sight until another is chosen.
    for (const item of uploads.list) if (item.state === 'failed') uploads.remove(item.id);
    const taken = uploads.list.filter(({ state }) => state !== 'failed').length + (max === 1 ? 0 : value.length);
    const room = Math.max(0, max - taken);
    uploads.add(files.slice(0, room));
    if (files.length > room) {
      message.warning(phrase('content.tooManyPictures', { count: max, left: files.length - room }), toastSeconds);
    }
  };
  const addressOf = (picture: FormPicture) => own[picture.key] ?? picture.url;
  const rule = phrase(max === 1 ? 'content.pictureRule' : 'content.pictureRuleMany', {
    types: typesText(purpose) ?? '',
    max: megabytesText(fileRules[purpose].bytesMax),
    count: max,
  });
  const addLabel = phrase(max === 1 && value.length === 1 ? 'content.replacePicture' : 'content.addPicture');
  const hasRoom = max === 1 ? !isBusy : value.length + uploads.list.length < max;

  return (
    <div>
      <ul className={styles.pictures} aria-label={phrase('content.pictures')}>
        {value.map((picture, index) => (
          <li
            key={picture.key}
            draggable={max > 1 && !componentDisabled}
            className={[dragged === index ? styles.dragged : '', target === index ? styles.dropMark : ''].join(' ')}
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move';
              setDragged(index);
            }}
            onDragOver={(event) => {
              if (dragged === null) return;
              event.preventDefault();
              setTarget(index);
            }}
            onDrop={(event) => {
              event.preventDefault();
              if (dragged !== null) set(moved(value, dragged, index));
            }}
            onDragEnd={() => {
              setDragged(null);
              setTarget(null);
            }}
          >
            <button
              type="button"
              className={`${styles.picture} ${styles.view}`}
              aria-label={phrase('content.viewPicture', { name: picture.name })}
              onClick={() => setViewed(index)}
            >
              <Preview
                address={addressOf(picture)}
                alt={phrase('content.pictureOf', { index: index + 1, total: value.length, name: picture.name })}
              />
            </button>
            {slots === undefined ? null : (
              <Select
                size="small"
                className={styles.slot ?? ''}
                aria-label={phrase('content.pictureSlot', { name: picture.name })}
                disabled={componentDisabled}
                options={[...slots]}
                value={picture.slot ?? null}
                onChange={(slot) =>
                  set(value.map((one) => (one.key === picture.key && slot !== null ? { ...one, slot } : one)))
                }
              />
            )}
            <div className={styles.pictureActs}>
              {max === 1 ? null : (
                <Button
                  type="text"
                  size="small"
                  icon={<ArrowLeftOutlined />}
                  disabled={index === 0 || componentDisabled}
                  aria-label={phrase('content.moveEarlier', { name: picture.name })}
                  title={phrase('content.moveEarlier', { name: picture.name })}
                  onClick={() => set(moved(value, index, index - 1))}
                />
              )}
              <Button
                type="text"
                size="small"
                danger
                icon={<DeleteOutlined />}
                aria-label={phrase('content.removePicture', { name: picture.name })}
                title={phrase('content.removePicture', { name: picture.name })}
                onClick={() => set(value.filter(({ key }) => key !== picture.key))}
              />
              {max === 1 ? null : (
                <Button
                  type="text"
                  size="small"
                  icon={<ArrowRightOutlined />}
                  disabled={index === value.length - 1 || componentDisabled}
                  aria-label={phrase('content.moveLater', { name: picture.name })}
                  title={phrase('content.moveLater', { name: picture.name })}
                  onClick={() => set(moved(value, index, index + 1))}
                />
              )}
            </div>
          </li>
        ))}
        {uploads.list.map((upload) => (
          <li key={`upload ${upload.id}`}>
            <div className={`${styles.picture} ${styles.sending}`}>
              <span className={styles.sendingName} title={upload.file.name}>
                {upload.file.name}
              </span>
              <UploadBar
                upload={upload}
                retry={() => uploads.retry(upload.id)}
                remove={() => uploads.remove(upload.id)}
              />
            </div>
          </li>
        ))}
        {hasRoom ? (
          <li>
            <FileDrop
              as="tile"
              id={id}
              // The form's label would otherwise name the button.
              label={addLabel}
              accept={acceptOf(purpose)}
              multiple={max > 1}
              disabled={componentDisabled}
              describedBy={ruleId}
              onFiles={add}
            >
              <PictureOutlined className={styles.icon} />
              <span>{addLabel}</span>
            </FileDrop>
          </li>
        ) : null}
      </ul>
      <p id={ruleId} className={styles.rule}>
        {rule}
      </p>
      {viewed === null ? null : (
        <Suspense>
          <PictureViewer
            key={viewed}
            pictures={value.map((picture) => ({ address: addressOf(picture), name: picture.name }))}
            first={viewed}
            open
            onClose={() => setViewed(null)}
          />
        </Suspense>
      )}
    </div>
  );
}

function freeSlot(slots: readonly PictureSlotOption[] | undefined, pictures: readonly FormPicture[]) {
  if (slots === undefined) return {};
  const taken = new Set(pictures.map(({ slot }) => slot));
  const free = slots.find(({ value }) => !taken.has(value)) ?? slots.at(-1);
  return free === undefined ? {} : { slot: free.value };
}

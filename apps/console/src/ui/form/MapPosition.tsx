import { MinusOutlined, PlusOutlined } from '@ant-design/icons';
import { regionTable } from '@voltdeck/regions/region-table';
import { regionView } from '@voltdeck/regions/regions';
import { AutoComplete, Button, Form, type FormInstance, Input } from 'antd';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { language } from '../../language.ts';
import { phrase } from '../../phrases.ts';
import { useTouchForm } from '../FormDrawer.tsx';
import { type Position, PositionMap } from '../map/position-map.ts';
import styles from './form.module.css';
import { placesFor } from './position-places.ts';

/**
 * A position on the map. Clicking the map or dragging the mark fills the two fields below, and typing in them moves the
 * mark. A region's name finds it on the map; with a keyboard the fields alone are enough.
 */
export default function MapPosition({ form }: { form: FormInstance }) {
  const touch = useTouchForm();
  const container = useRef<HTMLDivElement>(null);
  const map = useRef<PositionMap>(null);
  const [hasTrouble, setHasTrouble] = useState(false);
  const [text, setText] = useState('');
  const longitude: unknown = Form.useWatch('longitude', form);
  const latitude: unknown = Form.useWatch('latitude', form);
  const regionCode: unknown = Form.useWatch('regionCode', form);
  const position: Position | null =
    typeof longitude === 'number' && typeof latitude === 'number' ? { longitude, latitude } : null;
  const onPick = useEffectEvent((picked: Position) => {
    form.setFieldsValue(picked);
    touch();
    void form.validateFields(['longitude', 'latitude']).catch(() => {});
  });

  useEffect(() => {
    if (container.current === null) return;
    const made = new PositionMap(container.current, { language, onPick, onTrouble: setHasTrouble });
    map.current = made;
    const sized = new ResizeObserver(() => made.fit());
    sized.observe(container.current);
    return () => {
      sized.disconnect();
      map.current = null;
      made.destroy();
    };
  }, []);
  const [east, north] = [position?.longitude ?? null, position?.latitude ?? null];
  useEffect(() => {
    map.current?.show(east === null || north === null ? null : { longitude: east, latitude: north });
  }, [east, north]);

  const lookAtRegion = (code: string) => {
    const view = regionView(regionTable, code);
    if (view !== null) map.current?.lookAt(view, view.zoom);
  };
  const onRegion = useEffectEvent((code: unknown) => {
    if (typeof code === 'string' && position === null) lookAtRegion(code);
  });
  useEffect(() => onRegion(regionCode), [regionCode]);

  const places = placesFor(text, language);
  return (
    <div className={styles.position}>
      <AutoComplete
        value={text}
        options={places.map(({ code, name }) => ({ value: code, label: name }))}
        onChange={(typed) => setText(typed ?? '')}
        onSelect={(code: string) => {
          setText(places.find((place) => place.code === code)?.name ?? '');
          lookAtRegion(code);
        }}
        className={styles.positionSearch ?? ''}
      >
        <Input
          aria-label={phrase('shell.mapSearch')}
          placeholder={phrase('shell.mapSearch')}
          maxLength={64}
          onPressEnter={(event) => event.preventDefault()}
        />
      </AutoComplete>
      <div className={`site-map ${styles.positionMap}`}>
        <div ref={container} className="site-map-view" role="application" aria-label={phrase('shell.mapPick')} />
        <div className={styles.positionZoom}>
          <Button
            size="small"
            icon={<PlusOutlined />}
            aria-label={phrase('shell.mapZoomIn')}
            onClick={() => map.current?.zoomBy(1)}
          />
          <Button
            size="small"
            icon={<MinusOutlined />}
            aria-label={phrase('shell.mapZoomOut')}
            onClick={() => map.current?.zoomBy(-1)}
          />
        </div>
        {hasTrouble ? (
          <div className={styles.positionTrouble} role="status">
            {phrase('shell.mapFailed')}
            <Button size="small" onClick={() => map.current?.retry()}>
              {phrase('shell.retry')}
            </Button>
          </div>
        ) : null}
      </div>
      <p className={styles.positionHint}>{phrase('shell.mapPick')}</p>
    </div>
  );
}

import { type ThemeConfig, theme } from 'antd';
import type { Appearance } from './appearance.ts';

type Size = 'default' | 'medium' | 'small' | 'mini';

/** antd's three sizes and, for mini, its compact algorithm. */
export const componentSizes = { default: 'large', medium: 'middle', small: 'small', mini: 'small' } as const;

/** Heights of fields and buttons in px. */
const controlHeights: Readonly<Record<Size, number>> = { default: 40, medium: 36, small: 30, mini: 26 };

/** antd's theme from the console's tokens (tokens.css, theme-shades.ts), which must be on the document already. */
export function antdTheme(appearance: Appearance, size: Size): ThemeConfig {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const strongText = token('strong-text');
  const height = controlHeights[size];
  return {
    cssVar: { prefix: 'v' },
    hashed: false,
    algorithm: [
      appearance === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm,
      ...(size === 'mini' ? [theme.compactAlgorithm] : []),
    ],
    token: {
      colorPrimary: token('strong'),
      colorPrimaryHover: token('strong-hover'),
      colorPrimaryActive: token('strong-hover'),
      colorPrimaryBorder: token('theme-mark'),
      colorPrimaryBg: token('active'),
      colorPrimaryBgHover: token('active'),
      colorPrimaryText: strongText,
      colorPrimaryTextHover: strongText,
      colorPrimaryTextActive: strongText,
      colorInfo: token('info'),
      colorLink: strongText,
      colorLinkHover: strongText,
      colorLinkActive: strongText,
      colorError: token('fault'),
      colorErrorText: token('fault'),
      colorErrorTextHover: token('fault'),
      colorSuccess: token('free'),
      colorWarning: token('occupied-mark'),
      colorText: token('text'),
      colorTextSecondary: token('text-second'),
      colorTextTertiary: token('text-faint'),
      colorTextDescription: token('text-faint'),
      colorTextPlaceholder: token('text-faint'),
      colorIcon: token('text-faint'),
      colorBgLayout: token('page'),
      colorBgContainer: token('panel'),
      colorBgElevated: token('raised'),
      colorBorder: token('border-strong'),
      colorBorderSecondary: token('border'),
      colorSplit: token('border'),
      controlItemBgHover: token('hover'),
      controlItemBgActive: token('active'),
      controlOutline: `${token('theme-mark')}${appearance === 'dark' ? '40' : '38'}`,
      boxShadow: token('shadow'),
      boxShadowSecondary: token('shadow'),
      fontFamily: token('sans'),
      fontFamilyCode: token('mono'),
      // The compact algorithm uses the next smaller size.
      fontSize: size === 'mini' ? 16 : 14,
      borderRadius: 6,
      controlHeightLG: size === 'default' ? height : 40,
      controlHeight: size === 'medium' ? height : 32,
      controlHeightSM: size === 'small' || size === 'mini' ? height : 28,
      // Otherwise menus and drawers wait for the end of an animation that tokens.css has disabled.
      motion: !matchMedia('(prefers-reduced-motion: reduce)').matches,
      motionDurationMid: '0.15s',
      motionDurationSlow: '0.2s',
    },
    components: {
      Button: {
        colorPrimaryHover: token('strong-hover'),
        colorPrimaryActive: token('strong-hover'),
        primaryShadow: 'none',
        defaultShadow: 'none',
        dangerShadow: 'none',
        dangerColor: appearance === 'dark' ? token('page') : '#ffffff',
        defaultHoverColor: strongText,
        defaultHoverBorderColor: token('theme-mark'),
        defaultActiveColor: strongText,
        defaultActiveBorderColor: token('theme-mark'),
        paddingInlineSM: 10,
        borderRadiusSM: 6,
        contentFontSizeSM: 14,
      },
      Input: { paddingInlineSM: 9, borderRadiusSM: 6 },
      InputNumber: { paddingInlineSM: 9, borderRadiusSM: 6 },
      Select: { borderRadiusSM: 6, optionSelectedColor: strongText, optionSelectedBg: token('active') },
      DatePicker: { borderRadiusSM: 6 },
      Menu: {
        itemColor: token('menu-text'),
        itemHoverColor: token('text'),
        itemSelectedColor: strongText,
        subMenuItemSelectedColor: strongText,
        itemHoverBg: token('hover'),
        itemSelectedBg: token('active'),
        itemActiveBg: token('active'),
        subMenuItemBg: token('panel'),
        itemBg: token('panel'),
        activeBarBorderWidth: 0,
        itemBorderRadius: 6,
        itemHeight: 34,
        itemMarginInline: 8,
        itemPaddingInline: 10,
        collapsedWidth: 56,
        iconSize: 16,
      },
      Pagination: { itemSizeSM: 28, itemActiveColor: strongText, itemActiveColorHover: strongText },
      Tooltip: { colorBgSpotlight: appearance === 'dark' ? '#3a4256' : '#1d2433' },
      Segmented: { itemSelectedColor: strongText },
      // The selected radio button is text on the panel, not on a filled button.
      Radio: { colorPrimary: strongText, colorPrimaryHover: strongText, colorPrimaryActive: strongText },
      Tabs: { itemSelectedColor: strongText, itemHoverColor: strongText, inkBarColor: token('theme-mark') },
      Form: { itemMarginBottom: 20, verticalLabelPadding: '0 0 4px' },
      Drawer: { paddingLG: 20 },
    },
  };
}

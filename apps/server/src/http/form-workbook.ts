import { Readable } from 'node:stream';
import { xmlText, zip } from './xlsx.ts';

/** A workbook to be filled in by people. */
export type FormWorkbook = {
  sheet: string;
  columns: readonly { head: string; example: string; choices: readonly string[] }[];
  /** Rows that have the choices. */
  rowsMax: number;
  notesSheet: string;
  notes: readonly { about: string; text: string }[];
};

/**
 * A workbook (ECMA-376) of two sheets: heads with one row as an example, and notes. All cells are texts, so that Excel
 * neither drops leading zeros nor rounds long numbers; a column with choices offers them as a list.
 */
export function formWorkbook(form: FormWorkbook): Readable {
  return Readable.from(zip(partsOf(form)), { objectMode: false });
}

async function* partsOf(form: FormWorkbook) {
  yield part('[Content_Types].xml', contentTypes);
  yield part('_rels/.rels', packageRelations);
  yield part('xl/workbook.xml', workbookOf(form));
  yield part('xl/_rels/workbook.xml.rels', workbookRelations);
  yield part('xl/styles.xml', styles);
  yield part('xl/worksheets/sheet1.xml', entrySheet(form));
  yield part('xl/worksheets/sheet2.xml', notesSheet(form));
}

function part(name: string, text: string) {
  async function* content() {
    yield text;
  }
  return { name, content: content() };
}

const style = { text: 1, head: 2, example: 3, wrapped: 4 } as const;

function textCell(text: string, of: number): string {
  return text === ''
    ? `<c s="${of}"/>`
    : `<c s="${of}" t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;
}

/** Excel takes a list of choices up to this length. */
const choicesLengthMax = 255;
const widthMin = 12;
const widthMax = 28;

function entrySheet({ columns, rowsMax }: FormWorkbook): string {
  const widths = columns.map(({ head, example }, index) => {
    // A Chinese character is as wide as two others.
    const wide = (text: string) => [...text].reduce((sum, one) => sum + (one.charCodeAt(0) > 0x2e7f ? 2 : 1), 0);
    const width = Math.min(widthMax, Math.max(widthMin, wide(head) + 2, wide(example) + 2));
    return `<col min="${index + 1}" max="${index + 1}" width="${width}" style="${style.text}" customWidth="1"/>`;
  });
  const lists = columns.flatMap(({ choices }, index) => {
    const list = choices.join(',');
    if (choices.length === 0 || list.length > choicesLengthMax) return [];
    const column = columnName(index);
    return [
      `<dataValidation type="list" allowBlank="1" showErrorMessage="1" sqref="${column}2:${column}${rowsMax}">` +
        `<formula1>"${xmlText(list)}"</formula1></dataValidation>`,
    ];
  });
  return (
    `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">` +
    `<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
    `<cols>${widths.join('')}</cols><sheetData>` +
    `<row>${columns.map(({ head }) => textCell(head, style.head)).join('')}</row>` +
    `<row>${columns.map(({ example }) => textCell(example, style.example)).join('')}</row></sheetData>` +
    `<dataValidations count="${lists.length}">${lists.join('')}</dataValidations></worksheet>`
  );
}

function notesSheet({ notes }: FormWorkbook): string {
  const rows = notes.map(
    ({ about, text }) => `<row>${textCell(about, style.head)}${textCell(text, style.wrapped)}</row>`,
  );
  return (
    `${declaration}<worksheet xmlns="${main}"><cols><col min="1" max="1" width="24" customWidth="1"/>` +
    `<col min="2" max="2" width="100" customWidth="1"/></cols><sheetData>${rows.join('')}</sheetData></worksheet>`
  );
}

/** 27 is "AB". */
function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : `${columnName(Math.floor(index / 26) - 1)}${letter}`;
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const contentTypes =
  `${declaration}<Types xmlns="${packages}/content-types">` +
  `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
  `<Default Extension="xml" ContentType="application/xml"/>` +
  `<Override PartName="/xl/workbook.xml" ContentType="${spreadsheet}.sheet.main+xml"/>` +
  `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${spreadsheet}.worksheet+xml"/>` +
  `<Override PartName="/xl/worksheets/sheet2.xml" ContentType="${spreadsheet}.worksheet+xml"/>` +
  `<Override PartName="/xl/styles.xml" ContentType="${spreadsheet}.styles+xml"/></Types>`;
const packageRelations =
  `${declaration}<Relationships xmlns="${packages}/relationships">` +
  `<Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;
const workbookRelations =
  `${declaration}<Relationships xmlns="${packages}/relationships">` +
  `<Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/>` +
  `<Relationship Id="rId2" Type="${relations}/worksheet" Target="worksheets/sheet2.xml"/>` +
  `<Relationship Id="rId3" Type="${relations}/styles" Target="styles.xml"/></Relationships>`;

function workbookOf({ sheet, notesSheet: notes }: FormWorkbook): string {
  return (
    `${declaration}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>` +
    `<sheet name="${xmlText(sheet)}" sheetId="1" r:id="rId1"/><sheet name="${xmlText(notes)}" sheetId="2" r:id="rId2"/>` +
    '</sheets></workbook>'
  );
}

/** 49 is the format "text". */
const styles =
  `${declaration}<styleSheet xmlns="${main}"><fonts count="3"><font><sz val="11"/><name val="Calibri"/></font>` +
  '<font><b/><sz val="11"/><name val="Calibri"/></font>' +
  '<font><i/><sz val="11"/><color rgb="FF808080"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>' +
  '<xf numFmtId="49" fontId="2" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>' +
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" applyAlignment="1"><alignment wrapText="1" vertical="top"/></xf>' +
  '</cellXfs></styleSheet>';

import { closePagesAfterAll } from './browser-page.ts';

closePagesAfterAll();

import { closeFreshDatabasesAfterAll } from './test-database.ts';

closeFreshDatabasesAfterAll();

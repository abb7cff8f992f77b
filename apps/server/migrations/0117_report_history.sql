-- Why a mail was not sent, as a code that the console says in the reader's language; `problem` is what the server said.
alter table report_mails add column error_code text;
update report_mails
   set error_code = case problem when 'SMTP_URL' then 'report.no_mail_server'
                                 when 'task.no_file' then problem
                                 when 'task.rights_lost' then problem
                                 when 'task.user_disabled' then problem
                                 when 'report.no_list' then problem
                                 else 'report.mail_refused' end
 where problem is not null;
update report_mails set problem = null where error_code <> 'report.mail_refused';

-- Old runs are deleted.
create index report_runs_due_at on report_runs (due_at);

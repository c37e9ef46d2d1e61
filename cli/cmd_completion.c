/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * `lanecrypt completion`: a script for a shell that completes this program's commands and options.  They come from the tables that
 * the commands themselves parse their options by, so the script can't be about others.
 */
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

/* ---- The options of a command ---- */

static jmp_buf asked;
static const struct option *answer;

/* Instead of parsing, before the command has done anything */
static void take_answer(const struct option *longs)
{
    answer = longs;
    longjmp(asked, 1);
}

/* The table that the command gives to getopt_long(). */
static const struct option *options_of(const struct command *c)
{
    static char name[] = "lanecrypt";
    char *argv[] = { name, NULL };

    answer = NULL;
    cli_takes_options = take_answer;
    if (setjmp(asked) == 0)
        c->run(1, argv);
    cli_takes_options = NULL;
    return answer;
}

/* ---- Shells ---- */

/* In single quotes, with this in place of one. */
static void quoted(const char *text, const char *quote)
{
    putchar('\'');
    for (; *text; text++)
        if (*text == '\'')
            fputs(quote, stdout);
        else
            putchar(*text);
    putchar('\'');
}

static void print_options(const struct command *c, const char *before)
{
    for (const struct option *o = options_of(c); o && o->name; o++)
        printf("%s--%s", before, o->name);
}

static void print_bash(void)
{
    fputs("_lanecrypt()\n{\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} options= words=\n\n"
          "    COMPREPLY=()\n"
          "    case $COMP_CWORD:${COMP_WORDS[1]} in\n"
          "    1:*) words=\"",
          stdout);
    for (const struct command *c = cli_commands; c->name; c++)
        printf("%s ", c->name);
    puts("version\" ;;");
    for (const struct command *c = cli_commands; c->name; c++) {
        if (c->words)
            printf("    2:%s) words=\"%s\" ;;&\n", c->name, c->words);
        printf("    *:%s) options=\"", c->name);
        print_options(c, " ");
        puts("\" ;;");
    }
    fputs("    esac\n"
          "    case $word in -*) words=$options ;; esac\n"
          "    [ -z \"$words\" ] || COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
          "}\n"
          "complete -o default -F _lanecrypt lanecrypt\n",
          stdout);
}

static void print_zsh(void)
{
    fputs("#compdef lanecrypt\n"
          "local -a lanecrypt_words lanecrypt_options\n\n"
          "if (( CURRENT == 2 )); then\n"
          "    lanecrypt_words=(\n",
          stdout);
    for (const struct command *c = cli_commands; c->name; c++) {
        printf("        %s:", c->name);
        quoted(c->what, "'\\''");
        putchar('\n');
    }
    fputs("        version:'print the version'\n"
          "    )\n"
          "    _describe command lanecrypt_words\n"
          "    return\n"
          "fi\n"
          "case ${words[2]} in\n",
          stdout);
    for (const struct command *c = cli_commands; c->name; c++) {
        printf("%s) lanecrypt_options=(", c->name);
        print_options(c, " ");
        printf(" ) lanecrypt_words=( %s ) ;;\n", c->words ? c->words : "");
    }
    fputs("esac\n"
          "if [[ $PREFIX == -* ]]; then\n"
          "    compadd -a lanecrypt_options\n"
          "elif (( CURRENT == 3 && $#lanecrypt_words )); then\n"
          "    compadd -a lanecrypt_words\n"
          "else\n"
          "    _files\n"
          "fi\n",
          stdout);
}

static void print_fish(void)
{
    for (const struct command *c = cli_commands; c->name; c++) {
        printf("complete -c lanecrypt -n __fish_use_subcommand -f -a %s -d ", c->name);
        quoted(c->what, "\\'");
        putchar('\n');
        if (c->words)
            printf("complete -c lanecrypt -n '__fish_seen_subcommand_from %s' -a '%s'\n", c->name, c->words);
        for (const struct option *o = options_of(c); o && o->name; o++)
            printf("complete -c lanecrypt -n '__fish_seen_subcommand_from %s' -l %s%s\n", c->name, o->name,
                   o->has_arg == required_argument ? " -r" : "");
    }
    puts("complete -c lanecrypt -n __fish_use_subcommand -f -a version -d 'print the version'");
}

static const char help[] =
    "usage: lanecrypt completion bash | fish | zsh\n\n"
    "Prints a script for that shell, which completes the commands and options of this program.  An installation has it where\n"
    "the shells look.  By hand: `. <(lanecrypt completion bash)`, `lanecrypt completion fish | source`, or for zsh a file\n"
    "_lanecrypt in a folder of its fpath.\n";

int cmd_completion(int argc, char **argv)
{
    static const struct option options[] = { { "help", no_argument, NULL, 'h' }, { NULL, 0, NULL, 0 } };
    static const struct {
        const char *shell;
        void (*print)(void);
    } shells[] = { { "bash", print_bash }, { "fish", print_fish }, { "zsh", print_zsh } };
    int opt;

    optind = 0;
    while ((opt = cli_getopt_long(argc, argv, options)) != -1) {
        if (opt != 'h')
            return EXIT_USAGE;
        fputs(help, stdout);
        return EXIT_OK;
    }
    for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++)
        if (optind == argc - 1 && strcmp(argv[optind], shells[i].shell) == 0) {
            shells[i].print();
            return EXIT_OK;
        }
    return cli_wrong_use(argv, "which shell? bash, fish or zsh");
}

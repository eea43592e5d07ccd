# bash idioms.sh <idiom> <address> <port>: a student's program for the port for lines, in one of the ways to talk.

idiom=$1
exec 3<>"/dev/tcp/$2/$3"

write() {
    case $idiom in
        two-writes) printf %s "$1" >&3; printf '\n' >&3 ;;
        bytes) for ((at = 0; at < ${#1}; at++)); do printf %s "${1:at:1}" >&3; done; echo >&3 ;;
        crlf) printf '%s\r\n' "$1" >&3 ;;
        *) echo "$1" >&3 ;;
    esac
}

next() {
    case $idiom in
        polling) until read -t 0 -u 3; do :; done; IFS= read -r -u 3 text ;;
        characters)
            text=
            while IFS= read -r -N 1 -u 3 one && [[ $one != $'\n' ]]; do text+=$one; done ;;
        process) IFS= read -r -u "${messages[0]}" text ;;
        *) IFS= read -r -u 3 text ;;
    esac
}

if [[ $idiom == process ]]; then
    coproc messages { exec cat <&3; }
fi
while next; do
    IFS=: read -ra fields <<<"$text"
    case $text in
        login*) write ada-l:Ada ;;
        bet*) write "bet:${fields[3]}" ;;
        done*) break ;;
    esac
done
[[ $idiom == process ]] && kill "$messages_PID"
exec 3>&-
exit 0
